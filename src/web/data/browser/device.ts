import { createContext, use } from 'react'
import { Parts } from './parts.ts'
import type { Surroundings } from './surroundings.ts'

/**
 * One tab of one browser, as the data layer sees it: what surrounds it (network, disk, clock, other tabs) and what its modules know.
 * Every function that reads or changes something takes the device it works for; two devices share nothing but their surroundings.
 */
export interface Device extends Surroundings {
  readonly parts: Parts<Device>
}

/** Opens a device that knows nothing yet; `startEngine` sets it to work. */
export function openDevice(surroundings: Surroundings): Device {
  return { ...surroundings, parts: new Parts() }
}

/** A value that a module keeps for each device: made when it is first asked for. */
export function devicePart<Value>(make: (device: Device) => Value): (device: Device) => Value {
  return (device) => device.parts.get(device, make)
}

/** The device whose data the components show. */
export const DeviceContext = createContext<Device | null>(null)

/** The same for components. Throws outside of a `DeviceContext`. */
export function useDevice(): Device {
  const device = use(DeviceContext)
  if (!device) throw new Error('There is no DeviceContext around this component.')
  return device
}
