// The default load: an element of the front half. A kernel that loads into registers names the register, for includes
// that hold data for each register.
Element load_element(int element) { return load_front(place(element)); }
#define load_register(register_, element) load_element(element)
