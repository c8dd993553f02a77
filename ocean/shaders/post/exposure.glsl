// How bright a picture is made; tests/light/picture.py says the same.
const float GREY = 0.18;     // reflectance of the card that a light meter is made for
const float DAY = 6000.0;    // cd/m² of such a card in full sun
const float BRIGHT = 1.5;    // the sea reflects little, so pictures of it are exposed for longer
const float USUAL = 1.35;    // what is seen, over such a card, where neither needs correcting
const float DARK = 0.3;      // cd/m² of a card below which only a seventh of the stops are lost, or night would hide the sea
const float MANUAL = 1e3 * BRIGHT * GREY / DAY;

float luminance(vec3 colour) { return dot(colour, vec3(0.2126, 0.7152, 0.0722)); }

// Key of a scene by its luminance [cd/m²], against that of a day: night is meant to look dark. Krawczyk et al. (2005),
// equation 11, and a seventh of the stops on top, without which dusk still looks like day.
float key(float adapted) {
    float day = 1.03 - 2.0 / (2.0 + log(DAY + 1.0) / log(10.0));
    return pow(adapted / DAY, 0.15) * (1.03 - 2.0 / (2.0 + log(max(adapted, DARK) + 1.0) / log(10.0))) / day;
}

// Luminance [cd/m²] to expose for, of a grey card's in the light that falls on the sea and the mean that the camera sees:
// for the most part by what is seen, within bounds, so that neither the sun's glare nor dark water takes the picture over.
float metered(float card, float seen) { return card * pow(clamp(seen / card, 0.5, 6.0) / USUAL, 0.6); }

// Factor on radiance [kcd/m²] for a scene whose grey is this luminance [cd/m²].
float exposure_for(float adapted) { return 1e3 * BRIGHT * GREY * key(adapted) / max(adapted, 1e-6); }
