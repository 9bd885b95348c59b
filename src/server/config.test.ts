import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

describe('readConfig', () => {
  it('without environment variables, the configuration has the defaults of the README', () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      dataDir: `${process.cwd()}/data`,
      databaseUrl: undefined,
      siteUrl: undefined,
      signUp: 'open',
      emailConfirmation: false,
      authRateLimit: 30,
      trustProxy: { hops: 0 },
      corsOrigins: [],
      maxRows: 1000,
      logLevel: 'info',
    })
  })

  it('an empty environment variable counts as unset', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '', SIGN_UP: '' })).toMatchObject({ port: 3000, signUp: 'open' })
  })

  it('e-mail addresses must be confirmed if a mail server is configured, unless EMAIL_CONFIRMATION says otherwise', () => {
    expect(readConfig({ SMTP_URL: 'smtp://mail:25' }).emailConfirmation).toBe(true)
    expect(readConfig({ SMTP_URL: 'smtp://mail:25', EMAIL_CONFIRMATION: 'off' }).emailConfirmation).toBe(false)
    expect(readConfig({ EMAIL_CONFIRMATION: 'on' }).emailConfirmation).toBe(true)
  })

  it('trusted proxies, CORS origins and URLs are read from their variables', () => {
    expect(readConfig({ TRUST_PROXY: '2' }).trustProxy).toEqual({ hops: 2 })
    expect(readConfig({ TRUST_PROXY: '10.0.0.0/8, ::1' }).trustProxy).toEqual({ addresses: ['10.0.0.0/8', '::1'] })
    expect(readConfig({ CORS_ORIGINS: 'https://a.example, http://b.example:81/' }).corsOrigins).toEqual([
      'https://a.example',
      'http://b.example:81',
    ])
    expect(readConfig({ SITE_URL: 'https://crm.example.com/' }).siteUrl).toBe('https://crm.example.com')
    const socket = 'postgres://postgres@localhost/crm?host=%2Frun%2Fpostgresql'
    expect(readConfig({ DATABASE_URL: socket }).databaseUrl).toBe(socket)
  })

  it.each([
    ['PORT', '70000'],
    ['PORT', 'http'],
    ['DATABASE_URL', 'mysql://localhost/crm'],
    ['SITE_URL', 'crm.example.com'],
    ['SITE_URL', 'https://example.com/crm'],
    ['PUBLISHABLE_KEY', 'short'],
    ['SECRET_KEY', 'short'],
    ['SIGN_UP', 'maybe'],
    ['MAIL_FROM', 'Acme'],
    ['EMAIL_CONFIRMATION', 'perhaps'],
    ['AUTH_RATE_LIMIT', '-1'],
    ['TRUST_PROXY', 'nginx'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['SMS_HOOK_URL', 'sms'],
    ['CORS_ORIGINS', 'example.com'],
    ['MAX_ROWS', '0'],
    ['LOG_LEVEL', 'loud'],
  ])('the setting %s=%s is refused with a message that names the variable', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(ConfigError)
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} must `))
  })
})
