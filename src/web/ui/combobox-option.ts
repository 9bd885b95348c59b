/** A line of a combobox. */
export interface ComboboxOption {
  id: string
  label: string
  /** A second, quieter word. */
  detail?: string | null
}
