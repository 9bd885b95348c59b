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
