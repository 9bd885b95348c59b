import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'

/** The rules to check, and the elements to skip. */
export interface AxeOptions {
  /** Checks the rules with one of these tags. */
  tags: readonly string[]
  /** Ids of rules: if given, checks these rules, and ignores `tags`. */
  only?: readonly string[]
  /** A selector of elements to skip. */
  exclude?: string
}

let axeScript: string | undefined

/**
 * Returns the rules that the current page violates, each with the violating elements. Adds axe to the document if needed. Does not check
 * frames, because the app has none.
 */
export async function axeViolations(page: Page, { tags, only, exclude }: AxeOptions): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) {
    axeScript ??= readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
    await page.evaluate(axeScript)
    await page.evaluate(parseEachColourOnce)
  }
  const runOnly = only ? { type: 'rule' as const, values: [...only] } : { type: 'tag' as const, values: [...tags] }
  return page.evaluate(
    async ({ runOnly, excluded }) => {
      const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
      const { violations } = await axe.run({ exclude: excluded }, { runOnly, resultTypes: ['violations'] })
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)
    },
    { runOnly: runOnly, excluded: exclude ? [exclude] : [] },
  )
}

interface AxeColour {
  r: number
  g: number
  b: number
  alpha: number
  parseString: (this: AxeColour, text: string) => AxeColour
}

/**
 * Runs in the page. Makes axe parse each colour text only once: parsing the colours of each element takes 40 % of a contrast check, and a
 * page has only a few dozen different colours. A text that cannot be parsed still throws an error each time.
 */
function parseEachColourOnce(): void {
  const { prototype } = (globalThis as unknown as { axe: { commons: { color: { Color: { prototype: AxeColour } } } } })
    .axe.commons.color.Color
  const { parseString } = prototype
  const parsedColours = new Map<string, Pick<AxeColour, 'r' | 'g' | 'b' | 'alpha'>>()
  prototype.parseString = function (this: AxeColour, text: string) {
    const knownColour = parsedColours.get(text)
    if (knownColour) return Object.assign(this, knownColour)
    parseString.call(this, text)
    parsedColours.set(text, { r: this.r, g: this.g, b: this.b, alpha: this.alpha })
    return this
  }
}
