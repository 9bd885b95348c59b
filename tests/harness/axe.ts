import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'

/** The rules to check, and the elements to skip. */
export interface AxeQuestion {
  /** Checks the rules with one of these tags. */
  tags: readonly string[]
  /** Checks these rules instead. */
  only?: readonly string[]
  /** A selector of elements to skip. */
  exclude?: string
}

let source: string | undefined

/**
 * The rules that the current page violates, each with the violating elements. Adds axe to a document once. Frames are not checked: our
 * pages have none.
 */
export async function axeViolations(page: Page, { tags, only, exclude }: AxeQuestion): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) {
    source ??= readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
    await page.evaluate(source)
    await page.evaluate(parseEachColourOnce)
  }
  const asked = only ? { type: 'rule' as const, values: [...only] } : { type: 'tag' as const, values: [...tags] }
  return page.evaluate(
    async ({ runOnly, left }) => {
      const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
      const { violations } = await axe.run({ exclude: left }, { runOnly, resultTypes: ['violations'] })
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)
    },
    { runOnly: asked, left: exclude ? [exclude] : [] },
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
 * Runs in the page. axe parses the colours of each element by a library for all colour spaces, 40 % of a check of contrast, and a page
 * has a few dozen. A text that it has parsed gives the same colour again; one that it cannot parse throws each time.
 */
function parseEachColourOnce(): void {
  const { prototype } = (globalThis as unknown as { axe: { commons: { color: { Color: { prototype: AxeColour } } } } })
    .axe.commons.color.Color
  const { parseString } = prototype
  const parsed = new Map<string, Pick<AxeColour, 'r' | 'g' | 'b' | 'alpha'>>()
  prototype.parseString = function (this: AxeColour, text: string) {
    const known = parsed.get(text)
    if (known) return Object.assign(this, known)
    parseString.call(this, text)
    parsed.set(text, { r: this.r, g: this.g, b: this.b, alpha: this.alpha })
    return this
  }
}
