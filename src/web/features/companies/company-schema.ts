import * as z from 'zod/mini'

const optionalText = z.pipe(
  z.string(),
  z.transform((text) => text.trim() || null),
)

/** Spec section 5: the name is required; the other fields are optional, trimmed, and null if empty. */
export const companySchema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'Company name is required')),
  domain: optionalText,
  phone: optionalText,
  website: optionalText,
  notes: optionalText,
})

export type TypedCompany = z.input<typeof companySchema>
export type CheckedCompany = z.output<typeof companySchema>
