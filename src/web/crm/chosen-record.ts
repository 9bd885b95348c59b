import * as z from 'zod/mini'

/** The value of a RecordField: the chosen record, or null. A text that was typed without a choice has the id '' and is refused. */
export const chosenRecord = z.nullable(
  z
    .object({ id: z.string(), label: z.string() })
    .check(z.refine(({ id }) => id !== '', 'Choose one from the list, or clear it')),
)
