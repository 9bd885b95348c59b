/** One of several things to choose from: `label` is its name, `detail` a second, quieter text such as an e-mail address. */
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
  /** Default: the typed text. A choice with this label or detail is the same one, and nothing is offered beside it. */
  knownBy?: string
}

/** Makes a new choice of a typed text that matches none: the option 'Add “…”'. */
export interface Addition {
  /** The choice that this text would make; null: it cannot make one. */
  offer: (text: string) => OfferedChoice | null
  /** Makes it. Returns its id, also while it waits to be sent, or why it was refused. */
  make: (text: string) => Promise<{ id: string } | { refused: string }>
  /** Title of the toast after a refusal: 'Error adding company'. */
  failure: string
  /** Shown when nothing matches: what has to be typed to make one. */
  hint: string
}

/** Choices for a field with a search: `onSearch` asks for those that match the typed text. */
export interface SearchedChoices extends Choices {
  onSearch: (text: string) => void
  /** Absent: a typed text cannot become a choice. */
  addition?: Addition
}
