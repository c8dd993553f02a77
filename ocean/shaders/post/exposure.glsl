// Exposure from luminance. tests/reference/picture.py is the reference in float64.
const float GREY = 0.18;   // reflectance of a grey card
const float DAY = 6000.0;  // luminance of a grey card in full sun [cd/m²]
const float BRIGHT = 1.5;  // extra exposure: the sea reflects less than a grey card
const float USUAL = 1.35;  // ratio of the mean luminance to a grey card's that needs no correction
// Luminance of a card [cd/m²] below which pictures darken only slowly, so that night shows the sea.
const float DARK = 0.3;
const float MANUAL = 1e3 * BRIGHT * GREY / DAY;

float luminance(vec3 colour) { return dot(colour, vec3(0.2126, 0.7152, 0.0722)); }

// Key of a scene by its luminance [cd/m²], relative to a day's, so that night looks dark: equation 11 of Krawczyk et al. (2005)
// times the luminance to the power 0.15, without which dusk would look like day.
float key(float adapted) {
    float day = 1.03 - 2.0 / (2.0 + log(DAY + 1.0) / log(10.0));
    return pow(adapted / DAY, 0.15) * (1.03 - 2.0 / (2.0 + log(max(adapted, DARK) + 1.0) / log(10.0))) / day;
}

// Luminance to expose for [cd/m²], from two luminances: that of a grey card in the light that falls on the sea, and the mean that
// the camera sees. The mean has more weight, but is bounded, so that neither glare nor dark water determines the exposure alone.
float metered(float card, float seen) { return card * pow(clamp(seen / card, 0.5, 6.0) / USUAL, 0.6); }

// Factor on radiance [kcd/m²] that exposes for a luminance [cd/m²].
float exposure_for(float adapted) { return 1e3 * BRIGHT * GREY * key(adapted) / max(adapted, 1e-6); }
