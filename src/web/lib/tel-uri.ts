/** The number of digits from which a text can be a phone number, and the most that one has (ITU-T E.164), without the international prefix. */
const minDigits = 3
const maxDigits = 15

/** A number that a spreadsheet has rounded, such as '4.47911E+11'. Its last digits are lost. */
const roundedPattern = /^\s*\d+(?:[.,]\d+)?E\+?\d+\s*$/i
/** A label before the number, such as 'Office:', 'Mobil ' or 'tel:'. */
const labelPattern = /^(?:[^\d+:]*\d?[^\d+:]*:)?[^\d+(]*(?:\((?!\+?\d)[^\d+(]*)*/u
const extensionPattern = /(?:\bext(?:ension)?[.=]?|[x#])\s*(\d+)\s*$/i

/**
 * Returns the URI that calls a phone number (RFC 3966), or null if the text is not a complete phone number. `phone` is as a person typed it: of
 * several numbers the first one is called, a label before it and the '(0)' of an international number are left out, and an extension follows as
 * `;ext=`.
 */
export function telUri(phone: string): string | null {
  if (roundedPattern.test(phone)) return null
  const unlabelled = phone.replace(labelPattern, '')
  const isInternational = /^\(?(\+|00)/.test(unlabelled)
  const number = isInternational ? unlabelled.replace('(0)', '') : unlabelled
  const [typedNumber = ''] = number.split(/[\p{L};,#|&]|(?<=\d.*)\+/u)
  // The rest of '1-800-FLOWERS' is in the letters.
  if (typedNumber.endsWith('-') && digitsOf(typedNumber).length < 7) return null
  const calledNumber = beforeSecondNumber(typedNumber)
  const count = significantDigits(calledNumber).length
  if (count < minDigits || count > maxDigits) return null
  const digits = digitsOf(calledNumber)
  const extension = extensionPattern.exec(phone)?.[1]
  // A colleague's own extension, such as 'ext. 4711', is the whole number.
  return `tel:${digits}${extension && extension !== digits ? `;ext=${extension}` : ''}`
}

/**
 * Returns what is before the slash that separates two numbers. A slash can also follow an area code, as in '030 / 123': it separates two numbers if
 * the text before it is long enough to be one, or if all digits together are too many for one.
 */
function beforeSecondNumber(typed: string): string {
  const [before = ''] = typed.split('/')
  // The country code and the longest area code have seven digits together. An area code without a 0 before it has three.
  const minDigitsOfNumber = /^\(?(\+|00)/.test(before) ? 8 : /^\(?0/.test(before) ? 7 : 4
  const isComplete =
    significantDigits(before).length >= minDigitsOfNumber || significantDigits(typed).length > maxDigits
  return isComplete ? before : typed
}

/** Returns the digits, without the prefix '00' of an international number. */
function significantDigits(typed: string): string {
  return digitsOf(typed).replace(/^(\+|00)/, '')
}

function digitsOf(typed: string): string {
  return typed.replaceAll(/[^\d+]/g, '')
}
