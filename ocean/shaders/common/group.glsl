// Waits until all invocations of the work group have come here and see what they have shared.
void wait_for_group() {
    memoryBarrierShared();
    barrier();
}
