import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'

/** Which rules are asked about, and of what. */
export interface AxeQuestion {
  /** Those that have one of these tags. */
  tags: readonly string[]
  /** Just these rules instead. */
  only?: readonly string[]
  /** What is left out: a selector. */
  exclude?: string
}

let source: string | undefined

/**
 * The rules that the page as it is now breaks, each with the elements that break it. The program is added to a document once,
 * and runs in it as it is: our pages have no frames whose results would have to be put together.
 */
export async function axeViolations(page: Page, { tags, only, exclude }: AxeQuestion): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) {
    source ??= readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
    await page.evaluate(source)
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
