import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import type { Handler, HttpRequest, HttpResponse } from './exchange.ts'
import { requireReadMethod } from './read-method.ts'
import { acceptsCoding } from './send-response.ts'

interface StaticFile {
  path: string
  /** The codings of the compressed copies beside the file, the best one first. */
  codings: readonly Coding[]
}

interface Coding {
  name: 'br' | 'gzip'
  suffix: '.br' | '.gz'
}

const servedCodings: readonly Coding[] = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
]

const contentTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

const notBuiltMessage =
  'The app is not built yet: run "npm run build", then start the server again. The API is served.\n'

/**
 * Creates the handler that serves a folder of built files. The folder is listed once, at the start, and each path is looked up
 * in this list, so no path can leave the folder. Browsers cache hashed files under /assets/ for ever and revalidate all others
 * each time. If no file has the requested path, the response is:
 * - under /assets/: 404
 * - elsewhere: index.html with `pageHeaders`, or 404 with an explanation if the folder has no index.html
 */
export function createStaticFiles(root: string, pageHeaders: Record<string, string>): Handler {
  const files = existsSync(join(root, 'index.html')) ? listFiles(root) : new Map<string, StaticFile>()
  const contents = new Map<string, Promise<Content>>()

  function contentOf(path: string): Promise<Content> {
    const known = contents.get(path)
    if (known) return known
    const content = readContent(path)
    contents.set(path, content)
    content.catch(() => contents.delete(path))
    return content
  }

  return async (request) => {
    requireReadMethod(request)
    const isAsset = request.path.startsWith('/assets/')
    const file = files.get(request.path) ?? (isAsset ? undefined : files.get('/index.html'))
    if (file === undefined)
      return isAsset ? textResponse(404, 'This file does not exist\n') : textResponse(404, notBuiltMessage)
    return respond(request, file, isAsset)
  }

  async function respond(request: HttpRequest, file: StaticFile, isAsset: boolean): Promise<HttpResponse> {
    const coding = file.codings.find(({ name }) => acceptsCoding(request.headers['accept-encoding'], name))
    const { body, etag } = await contentOf(file.path + (coding?.suffix ?? ''))
    const headers: Record<string, string> = {
      'Content-Type': contentTypes[extname(file.path)] ?? 'application/octet-stream',
      'Cache-Control': isAsset ? 'public, max-age=31536000, immutable' : 'no-cache',
      ETag: etag,
    }
    if (file.path.endsWith('.html')) Object.assign(headers, pageHeaders)
    if (file.codings.length > 0) headers.Vary = 'Accept-Encoding'
    if (isUnchanged(request.headers['if-none-match'], etag)) return { status: 304, headers }
    if (coding) headers['Content-Encoding'] = coding.name
    return { status: 200, headers, body }
  }
}

interface Content {
  body: Buffer
  etag: string
}

async function readContent(path: string): Promise<Content> {
  const body = await readFile(path)
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` }
}

function isUnchanged(header: string | undefined, etag: string): boolean {
  return header?.split(',').some((part) => part.trim().replace(/^W\//, '') === etag) ?? false
}

/** Returns the files of the folder by their URL paths, without hidden files, symbolic links and the compressed copies. */
function listFiles(root: string): Map<string, StaticFile> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const allNames = new Set(entries.map((entry) => relative(root, join(entry.parentPath, entry.name))))
  const files = new Map<string, StaticFile>()
  for (const name of allNames) {
    const parts = name.split(sep)
    if (parts.some((part) => part.startsWith('.')) || servedCodings.some(({ suffix }) => name.endsWith(suffix)))
      continue
    const codings = servedCodings.filter(({ suffix }) => allNames.has(name + suffix))
    files.set(`/${parts.map(encodeURIComponent).join('/')}`, { path: join(root, name), codings })
  }
  return files
}

function textResponse(status: number, body: string): HttpResponse {
  return { status, headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' }, body }
}
