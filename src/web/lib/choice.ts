/** One of several options. `label` is its name, and `detail` is a second, less prominent text, such as an email address. */
export interface Choice {
  id: string
  label: string
  detail?: string | null
}

/** The options of a field, which may still be loading. */
export interface Choices {
  ready: boolean
  choices: readonly Choice[]
}

/** An option that a combobox offers to create. */
export interface OfferedChoice {
  name: string
  detail?: string | null
  /**
   * An existing choice with this text as its label or detail counts as the same choice. Then no new one is offered. By default, the text is
   * the typed text.
   */
  matchText?: string
}

/** How a combobox creates a choice from a typed text that matches no option. The combobox then offers 'Add “…”'. */
export interface Addition {
  /** Returns the choice that would be created from this text. Null if none can be created. */
  offer: (text: string) => OfferedChoice | null
  /** Creates the choice. Returns its id, also while the choice waits to be sent, or the reason why the server refused it. */
  make: (text: string) => Promise<{ id: string } | { refused: string }>
  /** The title of the toast after the server has refused: 'Error adding company'. */
  failure: string
  /** A sentence that is shown when no option matches. It says which text must be typed to create a choice. */
  hint: string
}

/** The options of a field with a search. Call `onSearch` with the typed text to request the options that match it. */
export interface SearchedChoices extends Choices {
  onSearch: (text: string) => void
  /** How to create a choice from the typed text. Absent if that is not possible. */
  addition?: Addition
}
