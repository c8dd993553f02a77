// The plain way out: to the front half if WRITES_FRONT, else to the back half.
void store_element(int element, Element value) {
    if (bool(WRITES_FRONT)) store_front(place(element), scaled(value));
    else store_back(place(element), scaled(value));
}
