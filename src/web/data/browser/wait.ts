import type { Device } from './device.ts'

/** Resolves after this time of the device's clock. */
export function wait(device: Device, milliseconds: number): Promise<void> {
  return new Promise((resolve) => device.clock.setTimeout(resolve, milliseconds))
}
