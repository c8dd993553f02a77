// Waits until all invocations of the work group are here and see each other's writes to shared memory.
void wait_for_group() {
    memoryBarrierShared();
    barrier();
}
