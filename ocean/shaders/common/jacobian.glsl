// Jacobian and normal of the displaced surface. D is (Dxx, Dzz, Dxz) times the choppiness.

// Returns J = (1 + Dxx)(1 + Dzz) - Dxz²: the area of a unit of still water; below 0 the surface has folded over.
float jacobian(vec3 D) {
    return (1.0 + D.x) * (1.0 + D.y) - D.z * D.z;
}

// Returns the exact normal, not normalised: the cross product of the tangents; valid for J > 0.
vec3 surface_normal(vec2 slope, vec3 D) {
    return vec3(D.z * slope.y - (1.0 + D.y) * slope.x, jacobian(D), D.z * slope.x - (1.0 + D.x) * slope.y);
}
