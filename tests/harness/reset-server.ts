import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import ws from 'ws'
import { signUpWithBrand } from './brand-owner.ts'
import { type RequestKind, requestKinds } from './request-kinds.ts'
import { startTestServer, type TestServer } from './server.ts'

/** The target of tests that reset connections: a server in its own process, which also serves a large file, and a client of a member. */
export interface ResetServer {
  server: TestServer
  kinds: RequestKind[]
  /** Signed in as the brand's owner. */
  member: SupabaseClient
  brandId: string
  stop(): Promise<void>
}

const assetPath = '/assets/large-0.js'
/** More than the buffers of a connection hold, so that bytes remain when a reader stops. */
const assetBytes = 3_000_000

/** Starts the server. */
export async function startResetServer(): Promise<ResetServer> {
  const webRoot = mkdtempSync(join(tmpdir(), 'banyan-web-'))
  mkdirSync(join(webRoot, 'assets'))
  const large = Buffer.from(randomBytes(assetBytes / 2).toString('hex'))
  const file = join(webRoot, assetPath)
  writeFileSync(join(webRoot, 'index.html'), '<!doctype html><title>App</title>')
  writeFileSync(file, large)
  writeFileSync(`${file}.br`, brotliCompressSync(large, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }))
  writeFileSync(`${file}.gz`, gzipSync(large, { level: 1 }))

  const server = await startTestServer({ run: 'process', webRoot })
  const { accessToken, brandId } = await signUpWithBrand(server)
  const { publishableKey } = server
  const member = createClient(server.url, publishableKey, {
    accessToken: async () => accessToken,
    realtime: { transport: ws as never },
  })
  return {
    server,
    kinds: requestKinds({ publishableKey, accessToken, brandId, asset: assetPath }),
    member,
    brandId,
    async stop() {
      await server.stop()
      rmSync(webRoot, { recursive: true, force: true })
    },
  }
}
