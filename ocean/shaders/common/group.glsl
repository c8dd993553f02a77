// Waits until all invocations of the work group have come here and see each other's shared writes.
void wait_for_group() {
    memoryBarrierShared();
    barrier();
}
