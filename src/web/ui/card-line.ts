/**
 * The CSS classes of a line in a card. Under the pointer, the line's background is wider than its text, and the hairline below is as wide
 * as the text.
 */
export const cardLineClasses =
  'relative isolate before:absolute before:inset-y-0 before:-inset-x-2 before:-z-1 before:rounded-control hover:before:bg-hover'
