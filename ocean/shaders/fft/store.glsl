// The default store: an element of the result.
void store_element(int element, Element value) { store_result(place(element), scaled(value)); }
