/** The values that modules keep for a holder (a device, an open brand), by the function that creates them. */
export class Parts<Holder> {
  private readonly values = new Map<(holder: Holder) => unknown, unknown>()

  /** Returns the holder's value of `make`. Calls `make` only for the first request, and returns the same value from then on. */
  get<Value>(holder: Holder, make: (holder: Holder) => Value): Value {
    if (!this.values.has(make)) this.values.set(make, make(holder))
    return this.values.get(make) as Value
  }
}
