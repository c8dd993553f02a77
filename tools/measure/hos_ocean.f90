! Runs the solver of HOS-ocean from a state of ours: lengths in 1/kp, and times so that g = 1. Reads start.bin (doubles:
! side, depth, time of the ramp, seconds between records, number of records, tolerance; elevation; potential) and writes
! records.bin, the elevations. The tool hos_ocean.py builds it with HOS-ocean's modules for one size and order.
program drive
  use type
  use variables_3D
  use fourier_r2c
  use runge_kutta
  implicit none
  type(RK_parameters) :: scheme
  complex(CP), dimension(m1o2p1, m2) :: next_eta, next_phis, rate
  real(RP) :: numbers(6), square, time, until, step, length, error, factor
  integer :: i1, i2, j, record
  open (10, file='start.bin', access='stream', form='unformatted', status='old')
  open (11, file='records.bin', access='stream', form='unformatted', status='replace')
  read (10) numbers, eta, phis
  Ta = numbers(3)
  n = 4
  toler = numbers(6)
  order_max = [p1, p2] - 1
  i_dealias = 1
  N_dea = [n1o2p1, n2o2p1]
  N_der = [ctype1(2), ctype2(2)]
  i_filt = 0
  n1c = n1o2p1
  n2c = n2o2p1
  n1c_filt = n1c
  n2c_filt = n2c
  oneoj = [(1.0_rp / j, j = 1, M)]
  ! Wave vectors; the last ones of even sizes have no derivative
  kx(1:Nd1o2p1) = [(i1 * TWOPI / numbers(1), i1 = 0, Nd1o2p1 - 1)]
  ky(1:Nd2o2p1) = [(i2 * TWOPI / numbers(1), i2 = 0, Nd2o2p1 - 1)]
  ky_n2 = [ky(1:n2o2p1), -ky(n2o2p1 - 1:2:-1)]
  ikx_big = 0.0_cp
  iky_big = 0.0_cp
  do i1 = 1, Nd1o2p1 - 1
    ikx_big(i1, :) = i * kx(i1)
  end do
  do i2 = 2, Nd2o2p1 - 1
    iky_big(:, i2) = i * ky(i2)
    iky_big(:, Nd2 - i2 + 2) = -i * ky(i2)
  end do
  ! Vertical derivatives at still water, and frequencies
  do i2 = 1, Nd2
    do i1 = 1, Nd1o2p1
      square = kx(i1)**2 + ky(min(i2, Nd2 - i2 + 2))**2
      kth(i1, i2, 1) = sqrt(square) * tanh(sqrt(square) * numbers(2))
      kth(i1, i2, 2) = square
      do j = 3, M
        kth(i1, i2, j) = square * kth(i1, i2, j - 2)
      end do
    end do
  end do
  do i2 = 1, n2
    do i1 = 1, Nd1o2p1
      square = kx(i1)**2 + ky_n2(i2)**2
      omega_n2(i1, i2) = sqrt(sqrt(square) * tanh(sqrt(square) * numbers(2)))
      goomega_n2(i1, i2) = merge(1.0_rp / max(omega_n2(i1, i2), tiny), 1.0_rp, square > 0)
    end do
  end do
  call fourier_ini(3)
  scheme%A = 0.0_rp
  scheme%b = 0.0_rp
  scheme%c = 0.0_rp
  scheme%e = 0.0_rp
  call fill_butcher_array(scheme)
  call space_2_fourier(eta, a_eta)
  call space_2_fourier(phis, a_phis)
  time = 0.0_rp
  step = 0.1_rp
  do record = 1, nint(numbers(5))
    until = record * numbers(4)
    do while (time < until)
      length = min(step, until - time)
      next_eta = a_eta
      next_phis = a_phis
      call RK_adapt_2var_3D_in_mo_lin(0, scheme, time, length, next_phis, next_eta, rate, error, 1.0_rp, 1.0_rp)
      factor = max(error / toler, 1e-9_rp)**(-1.0_rp / merge(scheme%p - 1, scheme%p, error > toler))
      if (error <= toler) then
        a_eta = next_eta
        a_phis = next_phis
        time = merge(until, time + length, length == until - time)
      end if
      step = length * 0.98_rp * min(max(factor, 0.125_rp), 4.0_rp)
    end do
    call fourier_2_space(a_eta, eta)
    write (11) eta
    if (mod(record, 20) == 0) print *, record, step
  end do
end program drive
