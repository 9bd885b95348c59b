/** A person as somebody types or pastes one; null: not given. */
export interface WrittenPerson {
  email: string | null
  phone: string | null
  first_name: string | null
  last_name: string | null
}

/**
 * Takes apart what mail programs and people write: 'Anna Schmidt <anna@muster.example>', '"Schmidt, Anna" <…>', 'mailto:…',
 * 'Anna Schmidt anna@muster.example', 'Anna Schmidt +49 30 1234567'. What has neither an address nor a number is a name.
 */
export function readPerson(text: string): WrittenPerson {
  const typed = text.trim()
  const found = addressIn(typed) ?? numberIn(typed) ?? { email: null, phone: null, rest: typed }
  return { email: found.email, phone: found.phone, ...namesOf(found.rest) }
}

/** Whether the text has the form that the database asks of an e-mail address: one @ with text on both sides. */
export function isAddress(text: string): boolean {
  return /^[^@]+@[^@]+$/.test(text)
}

/** What a form says beside the field where `addressOf` finds none. */
export const notAnAddress = 'This is not an email address'

/** The address in a typed text ('Anna Schmidt <anna@muster.example>'), or null. */
export function addressOf(text: string): string | null {
  const typed = text.trim()
  return readPerson(typed).email ?? (isAddress(typed) ? typed : null)
}

interface Found {
  email: string | null
  phone: string | null
  /** What is left: the name. */
  rest: string
}

const bracketed = /^([^<>]*)<\s*(?:mailto:)?([^<>@\s]+@[^<>@\s]+?)\s*>[\s,;]*$/i
const bare = /(?:mailto:)?([^\s<>()",;:@]+@[^\s<>()",;:?@]+)(?:\?\S*)?/i

function addressIn(text: string): Found | null {
  const inBrackets = bracketed.exec(text)
  if (inBrackets?.[2]) {
    // Mail programs repeat the address where they know no name.
    const rest = inBrackets[1]?.includes('@') ? '' : (inBrackets[1] ?? '')
    return { email: inBrackets[2], phone: null, rest }
  }
  // Two addresses are nobody's.
  if (text.split('@').length !== 2) return null
  const found = bare.exec(text)
  if (!found?.[1]) return null
  const rest = `${text.slice(0, found.index)} ${text.slice(found.index + found[0].length)}`
  return { email: found[1], phone: null, rest }
}

/** A number of five digits or more at the end of the text. */
function numberIn(text: string): Found | null {
  const found = /(?:^|[\s,;:])((?:\+|\(\+?|\d)[\d\s()./-]*\d)$/.exec(text)
  if (!found?.[1] || found[1].replace(/\D/g, '').length < 5) return null
  return { email: null, phone: found[1], rest: text.slice(0, found.index) }
}

/** 'Anna Maria Schmidt': the first word is the first name. 'Schmidt, Anna': the other way round. */
export function namesOf(text: string): Pick<WrittenPerson, 'first_name' | 'last_name'> {
  const name = text
    .replace(/["“”<>()]/g, ' ')
    .replace(/^[\s,;:']+|[\s,;:']+$/g, '')
    .replace(/\s+/g, ' ')
  const [last, first, ...more] = name.split(/\s*,\s*/)
  if (first && last && more.length === 0) return { first_name: first, last_name: last }
  const [word, ...words] = name.split(' ')
  return { first_name: word || null, last_name: words.join(' ') || null }
}
