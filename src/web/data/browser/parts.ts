/** The values that modules keep for an owner (a device, an open brand), by the function that makes them. */
export class Parts<Owner> {
  private readonly values = new Map<(owner: Owner) => unknown, unknown>()

  /** Calls `make` the first time, and returns the same value from then on. */
  get<Value>(owner: Owner, make: (owner: Owner) => Value): Value {
    if (!this.values.has(make)) this.values.set(make, make(owner))
    return this.values.get(make) as Value
  }
}
