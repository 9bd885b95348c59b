/** One of several options: `label` is its name, `detail` a second, less prominent text such as an email address. */
export interface Choice {
  id: string
  label: string
  detail?: string | null
}

/** Choices that may still be loading. */
export interface Choices {
  ready: boolean
  choices: readonly Choice[]
}

/** A choice that does not exist yet. */
export interface OfferedChoice {
  name: string
  detail?: string | null
  /** A choice with this label or detail counts as the same choice, and then nothing is offered. Default: the typed text. */
  knownBy?: string
}

/** Creates a new choice from a typed text that matches none: the option 'Add “…”'. */
export interface Addition {
  /** Returns the choice that this text would create. Null if it cannot create one. */
  offer: (text: string) => OfferedChoice | null
  /** Creates the choice. Returns its id, also while it waits to be sent, or the reason why it was refused. */
  make: (text: string) => Promise<{ id: string } | { refused: string }>
  /** The title of the toast after a refusal: 'Error adding company'. */
  failure: string
  /** Shown when nothing matches: the text that has to be typed to create a choice. */
  hint: string
}

/** Choices for a field with a search. `onSearch` requests the choices that match the typed text. */
export interface SearchedChoices extends Choices {
  onSearch: (text: string) => void
  /** Absent if a typed text cannot become a choice. */
  addition?: Addition
}
