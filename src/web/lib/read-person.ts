/** The parts of a person that a typed or pasted text contains. A part that is missing is null. */
export interface TypedPerson {
  email: string | null
  phone: string | null
  first_name: string | null
  last_name: string | null
}

/**
 * Parses the forms that mail programs and people write: 'Anna Schmidt <anna@muster.example>', '"Schmidt, Anna" <…>', 'mailto:…',
 * 'Anna Schmidt anna@muster.example', 'Anna Schmidt +49 30 1234567'. A text with neither an email address nor a phone number is a name.
 */
export function readPerson(text: string): TypedPerson {
  const typed = text.trim()
  const contact = contactWithEmail(typed) ?? contactWithPhone(typed) ?? { email: null, phone: null, rest: typed }
  return { email: contact.email, phone: contact.phone, ...namesOf(contact.rest) }
}

/** Whether the text has the form that the database requires for an email address: one @ with text on both sides. */
export function isEmail(text: string): boolean {
  return /^[^@]+@[^@]+$/.test(text)
}

/** The message that a form shows if `emailIn` finds no email address in a text. */
export const notAnEmailMessage = 'This is not an email address'

/** Returns the email address that a typed text contains ('Anna Schmidt <anna@muster.example>'). Null if it contains none. */
export function emailIn(text: string): string | null {
  const typed = text.trim()
  return readPerson(typed).email ?? (isEmail(typed) ? typed : null)
}

interface FoundContact {
  email: string | null
  phone: string | null
  /** The rest of the text, which is the name. */
  rest: string
}

const bracketedEmail = /^([^<>]*)<\s*(?:mailto:)?([^<>@\s]+@[^<>@\s]+?)\s*>[\s,;]*$/i
const bareEmail = /(?:mailto:)?([^\s<>()",;:@]+@[^\s<>()",;:?@]+)(?:\?\S*)?/i

function contactWithEmail(text: string): FoundContact | null {
  const inBrackets = bracketedEmail.exec(text)
  if (inBrackets?.[2]) {
    // Mail programs repeat the email address if they do not know a name.
    const rest = inBrackets[1]?.includes('@') ? '' : (inBrackets[1] ?? '')
    return { email: inBrackets[2], phone: null, rest }
  }
  // With two email addresses, it is unclear which one is meant.
  if (text.split('@').length !== 2) return null
  const match = bareEmail.exec(text)
  if (!match?.[1]) return null
  const rest = `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`
  return { email: match[1], phone: null, rest }
}

/** Finds a phone number of five digits or more at the end of the text. Null if there is none. */
function contactWithPhone(text: string): FoundContact | null {
  const match = /(?:^|[\s,;:])((?:\+|\(\+?|\d)[\d\s()./-]*\d)$/.exec(text)
  if (!match?.[1] || match[1].replace(/\D/g, '').length < 5) return null
  return { email: null, phone: match[1], rest: text.slice(0, match.index) }
}

/**
 * Splits a name into first and last name. In 'Anna Maria Schmidt', the first word is the first name. In 'Schmidt, Anna', the last name
 * comes first.
 */
export function namesOf(text: string): Pick<TypedPerson, 'first_name' | 'last_name'> {
  const name = text
    .replace(/["“”<>()]/g, ' ')
    .replace(/^[\s,;:']+|[\s,;:']+$/g, '')
    .replace(/\s+/g, ' ')
  const [last, first, ...otherParts] = name.split(/\s*,\s*/)
  if (first && last && otherParts.length === 0) return { first_name: first, last_name: last }
  const [word, ...words] = name.split(' ')
  return { first_name: word || null, last_name: words.join(' ') || null }
}
