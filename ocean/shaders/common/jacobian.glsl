// What the displaced surface's derivatives say, D already times the choppiness (dxx, dzz, dxz).

// J = (1 + Dxx)(1 + Dzz) - Dxz²: the area that a unit of still water covers; below 0 the surface has folded over.
float jacobian(vec3 D) {
    return (1.0 + D.x) * (1.0 + D.y) - D.z * D.z;
}

// The exact normal of the displaced surface (not normalised): the cross product of its tangents; valid for J > 0.
vec3 surface_normal(vec2 slope, vec3 D) {
    return vec3(D.z * slope.y - (1.0 + D.y) * slope.x, jacobian(D), D.z * slope.x - (1.0 + D.x) * slope.y);
}
