import { Dexie } from 'dexie'
import { noteNewerCopy } from './newer-copy.ts'
import { sessionState } from '#web/data/session/session.ts'

/** Dexie's version 1 is IndexedDB's 10. */
const nativeSteps = 10

/**
 * A database of one user, before its versions are declared. It opens for nobody else: an answer that comes after the sign-out leaves no
 * trace. One that a newer version of the app has written is left alone (`version` is ours), and the page asks for a reload. When
 * another tab deletes or upgrades it, this tab lets go, and does not open it again behind its back. Throws DatabaseClosedError.
 */
export function guarded(dexie: Dexie, userId: string, version: number): Dexie {
  if (sessionState.get().session?.userId !== userId) throw new Dexie.DatabaseClosedError('Its user is not here.')
  dexie.on('ready', () => {
    if (dexie.backendDB().version <= version * nativeSteps) return
    noteNewerCopy()
    throw new Dexie.VersionError('A newer version of the app has written it.')
  })
  dexie.on('versionchange', ({ newVersion }) => {
    if (newVersion) noteNewerCopy()
    dexie.close()
    // Dexie's own answer would open it again when it is next asked for.
    return false
  })
  return dexie
}
