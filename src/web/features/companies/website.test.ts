import { expect, test } from 'vitest'
import { websiteOf } from './website.ts'

test.each([
  ['https://www.acme.example/', 'https://www.acme.example/', 'www.acme.example'],
  ['HTTP://acme.example/about', 'http://acme.example/about', 'acme.example/about'],
  ['www.acme.example', 'https://www.acme.example/', 'www.acme.example'],
  ['acme.example:8080/x', 'https://acme.example:8080/x', 'acme.example:8080/x'],
  [' acme.example/kontakt ', 'https://acme.example/kontakt', 'acme.example/kontakt'],
])('the link of the website %j leads to %j', (text, href, label) => {
  expect(websiteOf(text)).toEqual({ href, label })
})

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)//acme.example',
  'data:text/html,<script>',
  'vbscript:x',
  'ftp://acme.example',
  'mailto:a@acme.example',
  'file:///etc/passwd',
  'none yet',
  'acme',
  '//',
  '',
])('the website %j is only shown, without a link', (text) => {
  expect(websiteOf(text)).toEqual({ href: null, label: text })
})
