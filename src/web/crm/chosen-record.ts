import * as z from 'zod/mini'

/**
 * The schema for the value of a RecordPicker: the chosen record, or null. If a text was typed and no record chosen, the value has the id ''
 * and is refused.
 */
export const chosenRecordSchema = z.nullable(
  z
    .object({ id: z.string(), label: z.string() })
    .check(z.refine(({ id }) => id !== '', 'Choose one from the list, or clear it')),
)
