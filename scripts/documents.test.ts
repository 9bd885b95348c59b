import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(path, 'utf8')
const documents = execFileSync('git', ['ls-files', '*.md'], { encoding: 'utf8' }).trim().split('\n').filter(existsSync)
const prose = (text: string) => text.replaceAll(/^```.*?^```/gms, '')

/** Finds the matches of a pattern in all documents. Returns those that `isRight` does not accept, as 'docs/a.md: text'. */
const wrongMatches = (pattern: RegExp, isRight: (match: string, document: string) => boolean, textOf = read) =>
  documents.flatMap((document) =>
    [...textOf(document).matchAll(pattern)]
      .map(([, match, other]) => match ?? other ?? '')
      .filter((match) => !isRight(match, document))
      .map((match) => `${document}: ${match}`),
  )

/** Returns the anchors of a document's headings, as GitHub generates them. */
function anchorsOf(document: string): Set<string> {
  const times = new Map<string, number>()
  const anchors = new Set<string>()
  for (const [, heading = ''] of prose(read(document)).matchAll(/^#+ (.+)$/gm)) {
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const anchor = words.replaceAll(/[^\p{L}\p{N}_\- ]/gu, '').replaceAll(' ', '-')
    const time = times.get(anchor) ?? 0
    times.set(anchor, time + 1)
    anchors.add(time === 0 ? anchor : `${anchor}-${time}`)
  }
  return anchors
}

test('each link between the documents leads to an existing file and heading', () => {
  expect(documents.length).toBeGreaterThan(50)
  const isValid = (link: string, document: string) => {
    if (/^[a-z]+:/.test(link)) return true
    const [path = '', anchor] = link.split('#')
    const target = path === '' ? document : join(dirname(document), path)
    return existsSync(target) && (!anchor || !target.endsWith('.md') || anchorsOf(target).has(anchor))
  }
  expect(wrongMatches(/\]\(([^)\s]+)\)/g, isValid, (document) => prose(read(document)))).toEqual([])
})

test('each npm command that a document names is a script of package.json, or ci, install or audit', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const known = new Set([...Object.keys(scripts), 'ci', 'install', 'audit'])
  const command = /(?:`|&& )npm (?:run\s+)?([a-z][a-z:-]*[a-z])\b|^npm (?:run )?([a-z][a-z:-]*[a-z])$/gm
  expect(wrongMatches(command, (name) => known.has(name))).toEqual([])
})

test('each file that a document names with its full path exists', () => {
  const named = /`((?:src|tests|scripts|supabase|deploy|docs|public)\/[\w./[\]-]+)`/g
  // CONTRIBUTING.md uses an invented noun, visits, as an example. The changelog names removed files.
  const isExample = (path: string, document: string) => document === 'CHANGELOG.md' || path.includes('visits')
  expect(wrongMatches(named, (path, document) => isExample(path, document) || existsSync(path))).toEqual([])
})
