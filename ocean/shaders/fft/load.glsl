// The plain way in: an element of the front half. A kernel that keeps what it loads in registers says which one, for
// includes that keep something beside it.
Element load_element(int element) { return load_front(place(element)); }
#define load_register(register_, element) load_element(element)
