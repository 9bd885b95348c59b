import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { externalConnection } from './external-database.ts'
import { nameLostDatabase } from './lost-database.ts'

/** A database that closes each connection after the client's first message. */
let closing: Server
let port: number
beforeEach(async () => {
  closing = createServer((socket) => socket.once('data', () => socket.end())).listen(0, '127.0.0.1')
  await once(closing, 'listening')
  port = (closing.address() as AddressInfo).port
})
afterEach(() => {
  closing.close()
})

const connectTo = (databaseUrl: string) =>
  nameLostDatabase({ databaseUrl, dataDir: '/srv/crm' }, async () => {
    const client = new Client(externalConnection(databaseUrl))
    client.on('error', () => {})
    await client.connect()
  })

it('a database that closes the connection is named by host and port, without its password', async () => {
  await expect(connectTo(`postgres://ana:secret@127.0.0.1:${port}/crm`)).rejects.toThrow(
    new Error(
      `The database at 127.0.0.1:${port} cannot be reached, or has closed the connection. Check that PostgreSQL runs there, and that this machine can connect to it; then run this again. (Connection terminated unexpectedly)`,
    ),
  )
})

it('a database whose host name has several addresses is named too, with the reason for each address', async () => {
  const refused = Object.assign(new AggregateError([new Error('connect ECONNREFUSED ::1:1'), new Error('b')], ''), {
    code: 'ECONNREFUSED',
  })
  const failed = nameLostDatabase({ databaseUrl: 'postgres://ana@localhost:1/crm', dataDir: '/srv/crm' }, () =>
    Promise.reject(refused),
  )
  await expect(failed).rejects.toMatchObject({
    code: 'ECONNREFUSED',
    message: expect.stringMatching(/^The database at localhost:1 .* \(connect ECONNREFUSED ::1:1; b\)$/),
  })
})

it('a socket directory and the embedded database are named', async () => {
  await expect(connectTo('postgres://ana@localhost/crm?host=/none')).rejects.toThrow(
    /^The database of the socket directory \/none \(port 5432\) cannot be reached, .*ENOENT/,
  )
  const terminated = Object.assign(new Error('terminating connection'), { code: '57P01' })
  await expect(nameLostDatabase({ dataDir: '/srv/crm' }, () => Promise.reject(terminated))).rejects.toThrow(
    'The embedded database of /srv/crm cannot be reached, or has ended. Check that its disk has space; then run this again. (terminating connection)',
  )
})

it('other errors, such as those of a full disk or a missing file, stay as they are', async () => {
  for (const code of ['ENOSPC', 'ENOENT', 'EACCES', '42501']) {
    const error = Object.assign(new Error('failed'), { code, syscall: 'open' })
    await expect(nameLostDatabase({ dataDir: '/srv/crm' }, () => Promise.reject(error))).rejects.toBe(error)
  }
})
