import { describe, expect, it } from 'vitest'
import { checkProfile, parseAccept, parsePreferences, parseRange } from './parse-headers.ts'

describe('Prefer', () => {
  it('all values of a Prefer header are read, and the applied ones are returned', () => {
    const preferences = parsePreferences('return=representation,count=exact, resolution=ignore-duplicates,foo=bar')
    expect(preferences).toMatchObject({ returnsRows: true, count: true, resolution: 'ignore' })
    expect(preferences.applied).toBe('return=representation, count=exact, resolution=ignore-duplicates')
  })

  it('unknown preferences are refused only with handling=strict', () => {
    expect(() => parsePreferences('foo=bar')).not.toThrow()
    expect(parsePreferences('resolution=merge')).toMatchObject({ resolution: null, applied: '' })
    expect(() => parsePreferences('handling=strict,foo=bar')).toThrow(expect.objectContaining({ code: 'PGRST122' }))
  })

  it.each(['return=headers-only', 'timezone=Europe/Berlin'])(
    'the preference %s of PostgREST is not served: it is ignored, and refused with handling=strict',
    (preference) => {
      expect(parsePreferences(preference)).toEqual(parsePreferences(undefined))
      expect(() => parsePreferences(`${preference}, handling=strict`)).toThrow(
        expect.objectContaining({ code: 'PGRST122', details: `Invalid preferences: ${preference}` }),
      )
    },
  )

  it('the preference max-affected is applied only with handling=strict', () => {
    expect(parsePreferences('max-affected=3').maxAffected).toBeNull()
    expect(parsePreferences('handling=strict,max-affected=3').maxAffected).toBe(3)
  })

  it('the preference tx=rollback is refused', () => {
    expect(() => parsePreferences('tx=rollback')).toThrow(expect.objectContaining({ code: 'PGRST127' }))
  })
})

describe('Accept', () => {
  it('the first supported media type of the Accept header is used', () => {
    expect(parseAccept(undefined)).toMatchObject({ isSingle: false, contentType: 'application/json; charset=utf-8' })
    expect(parseAccept('text/html, application/vnd.pgrst.object+json')).toMatchObject({ isSingle: true })
    expect(parseAccept('application/vnd.pgrst.array+json;nulls=stripped')).toMatchObject({ stripNulls: true })
  })

  it('an Accept header without a supported media type is refused with 406', () => {
    expect(() => parseAccept('text/csv')).toThrow(expect.objectContaining({ code: 'PGRST107', status: 406 }))
  })
})

describe('Range and profiles', () => {
  it('the Range header is converted into offset and limit', () => {
    expect(parseRange('0-9')).toEqual({ offset: 0, limit: 10 })
    expect(parseRange('5-')).toEqual({ offset: 5, limit: null })
    expect(parseRange(undefined)).toBeNull()
    expect(parseRange('bytes=abc')).toBeNull()
    expect(() => parseRange('9-0')).toThrow(expect.objectContaining({ code: 'PGRST103', status: 416 }))
  })

  it('a profile header that names a schema which is not exposed is refused', () => {
    expect(() => checkProfile('GET', { 'accept-profile': 'auth' }, 'public')).toThrow(
      expect.objectContaining({ code: 'PGRST106', status: 406 }),
    )
    expect(() =>
      checkProfile('POST', { 'accept-profile': 'auth', 'content-profile': 'public' }, 'public'),
    ).not.toThrow()
  })
})
