import { createContext, use } from 'react'
import { Parts } from './parts.ts'
import type { Surroundings } from './surroundings.ts'

/**
 * One tab of one browser, for the data layer: its surroundings (network, disk, clock, other tabs) and the values that modules keep for it. Every
 * function that reads or changes something takes the device as an argument. Two devices share only their surroundings.
 */
export interface Device extends Surroundings {
  readonly parts: Parts<Device>
}

/** Creates a device without any values. `startEngine` starts it. */
export function openDevice(surroundings: Surroundings): Device {
  return { ...surroundings, parts: new Parts() }
}

/** Returns a function that returns a module's value for a device. `make` creates it at the first use. */
export function devicePart<Value>(make: (device: Device) => Value): (device: Device) => Value {
  return (device) => device.parts.get(device, make)
}

/** The device whose data the components show. */
export const DeviceContext = createContext<Device | null>(null)

/** Returns the device of the surrounding `DeviceContext`. Throws if there is none. */
export function useDevice(): Device {
  const device = use(DeviceContext)
  if (!device) throw new Error('There is no DeviceContext around this component.')
  return device
}
