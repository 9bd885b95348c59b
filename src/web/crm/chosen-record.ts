import * as z from 'zod/mini'

/** The value of a RecordField: what was chosen, or null. What was typed and not chosen has no id, and is asked for. */
export const chosenRecord = z.nullable(
  z
    .object({ id: z.string(), label: z.string() })
    .check(z.refine(({ id }) => id !== '', 'Choose one from the list, or clear it')),
)
