import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { tagClass, tagColors } from './lib/tag-colors.ts'

const css = ['tokens.css', 'tag-colors.css']
  .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
  .join('\n')

/** Returns the CSS variables that the rule of a selector sets, by name. The rule may have more selectors. */
function variablesOf(selector: string): Map<string, string> {
  const start = css.search(new RegExp(`\\n${selector.replaceAll('.', '\\.')}(,\\n[^{}]+)? \\{`))
  const body = css.slice(start, css.indexOf('\n}', start))
  return new Map([...body.matchAll(/--([a-z0-9-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value]))
}

/** Returns WCAG's relative luminance of an oklch() colour, 0 to 1 (Björn Ottosson's matrices). */
function luminance(colour: string): number {
  const [lightness = 0, chroma = 0, hue = 0] = (/oklch\(([^)]+)\)/.exec(colour)?.[1] ?? '').split(' ').map(Number)
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)]
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const clampToGamut = (part: number) => Math.min(1, Math.max(0, part))
  const red = clampToGamut(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short)
  const green = clampToGamut(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short)
  const blue = clampToGamut(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(first: string, second: string): number {
  const [light = 0, dark = 0] = [luminance(first), luminance(second)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

const light = variablesOf(':root')
const themes = { light, dark: new Map([...light, ...variablesOf('.dark')]) }

/** Colours on a surface that is dark in both themes. */
const sameInBoth = ['toast-ink', 'toast-act', 'toast-error']

const backgrounds = ['bg', 'sunken', 'surface', 'raised', 'hover']
/** The colours of texts, each with the backgrounds on which it is used. */
const textSurfaces: Record<string, string[]> = {
  ink: [...backgrounds, 'active', 'accent-soft'],
  ink2: [...backgrounds, 'active'],
  ink3: ['bg', 'surface', 'raised'],
  'accent-text': [...backgrounds, 'accent-soft'],
  danger: ['bg', 'surface', 'raised', 'danger-soft'],
  warn: ['bg', 'surface', 'warn-soft'],
  ok: ['bg', 'surface', 'ok-soft'],
  'on-accent': ['accent', 'accent-hover'],
  'toast-ink': ['toast'],
  'toast-act': ['toast'],
}
/** The colours of edges, focus ring and accent, each with the backgrounds on which it is used. */
const edgeSurfaces: Record<string, string[]> = {
  ctl: ['bg', 'surface'],
  focus: ['bg', 'surface', 'sunken'],
  accent: ['bg'],
}

test('every colour and shadow has a dark value, except the colours of texts and icons on toasts, because toasts are dark in both themes', () => {
  const dark = variablesOf('.dark')
  const themedNames = [...light].filter(([, value]) => /oklch|rgb|inset/.test(value)).map(([name]) => name)
  expect(themedNames.length).toBeGreaterThan(30)
  expect(themedNames.filter((name) => !dark.has(name) && !sameInBoth.includes(name))).toEqual([])
})

for (const [theme, values] of Object.entries(themes)) {
  const valueOf = (name: string) => values.get(name) ?? ''

  test(`${theme}: the contrast with the background is at least 4.5 to 1 for text, and 3 to 1 for the edges of fields, the focus ring and the accent colour`, () => {
    const tooLow: string[] = []
    const check = (pairs: Record<string, string[]>, minContrast: number) => {
      for (const [name, surfaces] of Object.entries(pairs)) {
        for (const surface of surfaces) {
          const found = contrast(valueOf(name), valueOf(surface))
          if (!(found >= minContrast)) tooLow.push(`${name} on ${surface}: ${found.toFixed(2)}`)
        }
      }
    }
    check(textSurfaces, 4.5)
    check(edgeSurfaces, 3)
    expect(tooLow).toEqual([])
  })
}

const tonesByStageName = ['neutral', 'incoming', 'qualified', 'proposal', 'verbal', 'won', 'lost']
const chosenTones = ['grey', 'slate', 'blue', 'violet', 'amber', 'green', 'red']
const stages = [...tonesByStageName, ...chosenTones].map((name) => `tone-${name}`)
const tags = tagColors.map(tagClass)

test.each([...stages, ...tags])(
  '%s: the contrast of text on its soft fill and on cards is at least 4.5 to 1, and the contrast of the dot on cards at least 3 to 1',
  (name) => {
    for (const [theme, values] of Object.entries(themes)) {
      const tone = variablesOf(theme === 'dark' ? `.dark .${name}` : `.${name}`)
      const [text = '', dot = '', soft = ''] = ['tone', 'tone-dot', 'tone-soft'].map((name) => tone.get(name))
      const found = {
        soft: contrast(text, soft) >= 4.5,
        card: contrast(text, values.get('surface') ?? '') >= 4.5,
        dot: contrast(dot, values.get('surface') ?? '') >= 3,
      }
      expect({ theme, ...found }).toEqual({ theme, soft: true, card: true, dot: true })
    }
  },
)

test('tags have the ten colours that the database accepts, and all look different', () => {
  const allowed = readFileSync(new URL('../../supabase/migrations/20261212000000_tags.sql', import.meta.url), 'utf8')
  const listed = /color text not null check \(color in \(([^)]+)\)/.exec(allowed)?.[1]?.match(/\w+/g) ?? []
  expect([...tagColors].sort()).toEqual([...listed].sort())
  expect(new Set(tagColors.map((color) => variablesOf(`.tag-${color}`).get('tone-dot')))).toHaveProperty('size', 10)
  expect(tagClass('mauve')).toBe('tag-grey')
})
