import { describe, expect, it } from 'vitest'
import { render } from './render.ts'
import { wordsOf } from './templates.ts'

const siteUrl = 'https://crm.example.com'

describe('a mail', () => {
  it('the text and the HTML of a mail both contain its lines and its link', () => {
    const words = wordsOf('recovery', {})
    if (words === null) throw new Error('the template does not exist')
    const url = `${siteUrl}/auth/confirm#token_hash=abc&type=recovery`
    const mail = render(words, { siteUrl, url })
    expect(mail.subject).toBe('Set a new password')
    expect(mail.text).toContain(`Set a new password:\n${url}\n`)
    expect(mail.html).toContain('href="https://crm.example.com/auth/confirm#token_hash=abc&amp;type=recovery"')
    for (const line of words.lines) {
      expect(mail.text).toContain(line)
      expect(mail.html).toContain(line)
    }
  })

  it('a mail loads no external content and runs no script', () => {
    const words = wordsOf('signup', {})
    if (words === null) throw new Error('the template does not exist')
    const { html } = render(words, { siteUrl, url: `${siteUrl}/auth/confirm` })
    expect(html).not.toMatch(/<(script|img|link|iframe|object)|url\(|@import|javascript:/i)
  })

  it('a mail shows user input as text, and its subject has one line', () => {
    const evil = '<img src=x onerror=alert(1)>"\'&\r\nBcc: x@example.com'
    const words = wordsOf('message', { subject: evil, heading: evil, lines: [evil], button: evil, note: evil })
    if (words === null) throw new Error('the template does not exist')
    const { subject, html } = render(words, { siteUrl, url: siteUrl })
    expect(subject).not.toMatch(/[\r\n]/)
    expect(html).not.toContain('<img')
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;')
  })

  it('a mail with a code shows the code', () => {
    const words = wordsOf('reauthenticate', {})
    if (words === null) throw new Error('the template does not exist')
    const mail = render(words, { siteUrl, code: '012345' })
    expect(mail.text).toContain('\n012345\n')
    expect(mail.html).toContain('>012345</p>')
  })

  it.each(['', 'constructor', '__proto__', 'toString', 'nothing'])('the template %j does not exist', (name) => {
    expect(wordsOf(name, {})).toBeNull()
  })

  it("the data of the template 'message' must contain all required words", () => {
    expect(wordsOf('message', { subject: 'x' })).toBeNull()
    expect(wordsOf('message', { subject: 'x', heading: 'y', lines: [] })).toEqual({
      subject: 'x',
      heading: 'y',
      lines: [],
    })
  })
})
