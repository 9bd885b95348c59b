import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'

const readText = (path: string) => readFileSync(path, 'utf8')
const documents = execFileSync('git', ['ls-files', '*.md'], { encoding: 'utf8' }).trim().split('\n').filter(existsSync)
const withoutCodeBlocks = (text: string) => text.replaceAll(/^```.*?^```/gms, '')

/**
 * Finds the matches of a pattern in all documents. A match is the text of the pattern's first group, or else of its second group. Returns the
 * matches that `isRight` does not accept, as 'docs/a.md: text'.
 */
const wrongMatches = (pattern: RegExp, isRight: (match: string, document: string) => boolean, textOf = readText) =>
  documents.flatMap((document) =>
    [...textOf(document).matchAll(pattern)]
      .map(([, firstGroup, secondGroup]) => firstGroup ?? secondGroup ?? '')
      .filter((match) => !isRight(match, document))
      .map((match) => `${document}: ${match}`),
  )

/** Returns the anchors of a document's headings, as GitHub generates them. */
function anchorsOf(document: string): Set<string> {
  const countByAnchor = new Map<string, number>()
  const anchors = new Set<string>()
  for (const [, heading = ''] of withoutCodeBlocks(readText(document)).matchAll(/^#+ (.+)$/gm)) {
    const headingText = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const anchor = headingText.replaceAll(/[^\p{L}\p{N}_\- ]/gu, '').replaceAll(' ', '-')
    const earlierCount = countByAnchor.get(anchor) ?? 0
    countByAnchor.set(anchor, earlierCount + 1)
    anchors.add(earlierCount === 0 ? anchor : `${anchor}-${earlierCount}`)
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
  expect(wrongMatches(/\]\(([^)\s]+)\)/g, isValid, (document) => withoutCodeBlocks(readText(document)))).toEqual([])
})

test('each npm command that a document names is a script of package.json, or ci, install or audit', () => {
  const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> }
  const knownCommands = new Set([...Object.keys(scripts), 'ci', 'install', 'audit'])
  const npmCommand = /(?:`|&& )npm (?:run\s+)?([a-z][a-z:-]*[a-z])\b|^npm (?:run )?([a-z][a-z:-]*[a-z])$/gm
  expect(wrongMatches(npmCommand, (name) => knownCommands.has(name))).toEqual([])
})

test('the systemd unit in the documents has valid settings: its URL begins with https, and it trusts one proxy', () => {
  const [, unit = ''] = /^\[Service\]\n(.*?)^```/ms.exec(readText('docs/running-as-a-service.md')) ?? []
  const variables = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, settings = '']) => settings.split(' '))
  const config = readConfig(Object.fromEntries(variables.map((variable) => variable.split('='))))
  expect(config).toMatchObject({ siteUrl: expect.stringMatching(/^https:/), trustProxy: { hops: 1 } })
})

test('each file that a document names with its full path exists', () => {
  const filePath = /`((?:src|tests|scripts|supabase|deploy|docs|public)\/[\w./[\]-]+)`/g
  // CONTRIBUTING.md uses an invented noun, visits, as an example. The changelog names removed files.
  const mayBeMissing = (path: string, document: string) => document === 'CHANGELOG.md' || path.includes('visits')
  expect(wrongMatches(filePath, (path, document) => mayBeMissing(path, document) || existsSync(path))).toEqual([])
})

test('git ignores the backups that the documents write into the work tree, and their drafts: a backup has customers’ data and keys', () => {
  // A name in capitals, such as FILE, is a placeholder.
  const commands = documents.flatMap((document) => [
    ...readText(document).matchAll(/npm run backup -- ([a-z][\w./-]*)/g),
  ])
  const files = [...new Set(commands.map(([, file = '']) => file))]
  expect(files).not.toEqual([])
  for (const file of files.flatMap((name) => [name, `${name}.partial`]))
    expect(execFileSync('git', ['check-ignore', '--no-index', file], { encoding: 'utf8' }).trim()).toBe(file)
})

test('the documents create the account of the service only if a start as root has not created it before', () => {
  const commands = documents.flatMap((document) => [...readText(document).matchAll(/^.*\buseradd\b.* banyan$/gm)])
  expect(commands.map(([line]) => line)).toEqual([expect.stringMatching(/^id banyan \|\| useradd /)])
})
