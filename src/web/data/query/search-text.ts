type Words<Row> = (row: Row) => readonly (string | null)[]

/** Caches the search texts of rows. The outer key is the function that returns a row's words, the inner key is the row. */
const textsOfRows = new WeakMap<object, WeakMap<object, string>>()

/** Maximum number of words in a search. Further words are ignored, as SQL's `search_conditions` does. */
const wordLimit = 8

/** Returns a text in Unicode's form NFC and in lower case, as SQL's `lower` does. Used to compare texts without case. */
export function lowerNfc(text: string): string {
  return text.normalize('NFC').toLowerCase()
}

/**
 * Returns the forms under which a search finds a text, as SQL's `folded_forms` does: in lower case without accents and, as a second
 * form if it differs, with accents spelled out. So ü is found as u and as ue. Typographic apostrophes are found as '.
 */
export function foldedForms(text: string): string[] {
  const lower = lowerNfc(text)
  if (!beyondAscii.test(lower)) return [lower]
  const [plain, spelled] = [withoutAccents(lower), withoutAccents(spelledOut(lower))]
  return plain === spelled ? [plain] : [plain, spelled]
}

/** Whether a typed text occurs in a label of a list, in any form under which a search finds it. An empty text occurs in each label. */
export function isPartOfLabel(label: string, typed: string): boolean {
  const typedForms = foldedForms(typed.trim())
  return foldedForms(label).some((form) => typedForms.some((typedForm) => form.includes(typedForm)))
}

/**
 * Splits a typed search into words, as SQL's `search_conditions` does. Each word is returned in all its forms. A row must contain one form
 * of each word.
 */
export function searchedWords(search: string): string[][] {
  const words = joinedNumbers(search)
    .split(/[ \t\n\r\u00a0\u3000]+/)
    .filter((word) => word !== '')
  return words
    .slice(0, wordLimit)
    .map((word, index) => [...foldedForms(word), ...numberForms(word, isNumber(words[index - 1] ?? ''))])
}

/** Removes the spaces in the international telephone numbers of a search (up to nine parts), so that each number is one word. */
function joinedNumbers(search: string): string {
  let joined = search
  for (let gap = 0; gap < 8; gap++) joined = joined.replace(numberGap, '$1')
  return joined
}

const numberGap = /((?:^|[ \t\n\r\u00a0\u3000])(?:\+|00)[\d()/.-]*)[ \t\n\r\u00a0\u3000]+(?=[(\d])/g

/** Matches the country code of a telephone number (ITU-T E.164), as SQL's `national_digits` does. */
export const countryCode =
  /^([17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|2[1-689]\d|3[578]\d|42\d|5[09]\d|6[7-9]\d|8[035789]\d|9[679]\d)/

/**
 * Returns the forms under which a search finds a typed telephone number or a part of it: its digits without leading zeros and, if the
 * number is international, also the digits after the country code. Empty if the word is not a number or is too short. A part that follows
 * another number (`isAfterNumber`) keeps its zeros, because they are in the middle of a number.
 */
function numberForms(word: string, isAfterNumber: boolean): string[] {
  const isInner = isAfterNumber && !word.startsWith('+')
  const digits = isInner ? digitsOf(word) : digitsOf(word).replace(/^0+/, '')
  if (!/^\d{2,}$/.test(digits) || (digits.length === 2 && !/^[+0]/.test(word))) return []
  const isInternational = !isInner && /^(\+|00)/.test(word)
  const national = isInternational ? digits.replace(countryCode, '').replace(/^0+/, '') : ''
  return national.length > 2 ? [digits, national] : [digits]
}

function isNumber(word: string): boolean {
  return /^\d+$/.test(digitsOf(word))
}

/** Removes spaces and the signs + ( ) - / . from a telephone number, as SQL's `contact_words` does. */
export function digitsOf(phone: string): string {
  return phone.replace(/[ +()\-/.]/g, '')
}

/**
 * Returns the text in which a search looks for a row: the row's words in all their forms, separated by spaces. SQL stores the same text.
 */
export function searchText<Row extends object>(row: Row, words: Words<Row>): string {
  const texts = textsOfRows.get(words) ?? new WeakMap<object, string>()
  textsOfRows.set(words, texts)
  let text = texts.get(row)
  if (text === undefined) {
    text = foldedForms(words(row).join(' ')).join(' ')
    texts.set(row, text)
  }
  return text
}

const beyondAscii = /[^ -~]/

function withoutAccents(lower: string): string {
  return lower
    .replace(/[’‘ʼ′]/g, "'")
    .replace(/[ßæœøłđðıς]/g, (letter) => plainLetters[letter] ?? letter)
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
}

function spelledOut(lower: string): string {
  return lower.replace(/[äöüøå]/g, (letter) => twoLetters[letter] ?? letter)
}

const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ı: 'i',
  ς: 'σ',
}
const twoLetters: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }
