// Complex arithmetic. An element is the unit of a kernel: two complex numbers (re, im, re, im) that go through the same
// butterflies, or one (PACKED 1), in single or in double precision (DOUBLE).
#if DOUBLE
#define Real double
#define Root dvec2
#define Element dvec2
#elif PACKED == 1
#define Real float
#define Root vec2
#define Element vec2
#else
#define Real float
#define Root vec2
#define Element vec4
#endif

// cmul: each number of `a` times `w`. mul_i: times i. conjugate: conjugated.
#if PACKED == 1
Element cmul(Element a, Root w) { return Element(a.x * w.x - a.y * w.y, a.x * w.y + a.y * w.x); }
Element mul_i(Element a) { return Element(-a.y, a.x); }
Element conjugate(Element a) { return Element(a.x, -a.y); }
#else
Element cmul(Element a, Root w) { return Element(a.xz * w.x - a.yw * w.y, a.xz * w.y + a.yw * w.x).xzyw; }
Element mul_i(Element a) { return Element(-a.y, a.x, -a.w, a.z); }
Element conjugate(Element a) { return Element(a.x, -a.y, a.z, -a.w); }
#endif

// Returns the product of two roots.
Root rmul(Root a, Root b) { return Root(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
