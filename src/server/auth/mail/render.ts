import type { MailWords } from './templates.ts'

export interface RenderedMail {
  subject: string
  text: string
  html: string
}

export interface MailExtras {
  /** The URL of the button. Undefined: no button. */
  url?: string | undefined
  /** The six-digit code that the person types. Undefined: no code. */
  code?: string | undefined
  siteUrl: string
}

const productName = 'Banyan CRM'

/**
 * Renders a mail as text and as HTML, in the product's colours (`src/web/tokens.css`), light and dark. The HTML loads no
 * images and no external content.
 */
export function render(words: MailWords, { url, code, siteUrl }: MailExtras): RenderedMail {
  const { heading, lines, button, note } = words
  const subject = words.subject.replace(/[\p{Cc}\s]+/gu, ' ').trim()
  const text = [
    heading,
    ...lines,
    ...(code === undefined ? [] : [code]),
    ...(url === undefined ? [] : [`${button ?? 'Open'}:\n${url}`]),
    ...(note === undefined ? [] : [note]),
    `--\n${productName}, ${siteUrl}`,
  ].join('\n\n')
  const parts = [
    `<h1 class="ink" style="margin:0 0 12px;font-size:20px;line-height:28px;font-weight:600;color:#121c1b">${escape(heading)}</h1>`,
    ...lines.map((line) => paragraph(escape(line))),
    ...(code === undefined ? [] : [codeBox(code)]),
    ...(url === undefined ? [] : [buttonTo(url, button ?? 'Open')]),
    ...(note === undefined ? [] : [smallText(escape(note))]),
  ]
  return { subject, text: `${text}\n`, html: pageHtml(subject, parts.join('\n'), siteUrl) }
}

function paragraph(html: string): string {
  return `<p class="ink2" style="margin:0 0 12px;font-size:15px;line-height:24px;color:#495453">${html}</p>`
}

function smallText(html: string): string {
  return `<p class="ink3" style="margin:20px 0 0;font-size:13px;line-height:20px;color:#5e6969">${html}</p>`
}

function codeBox(code: string): string {
  return `<p class="ink code" style="margin:20px 0;padding:12px 16px;border-radius:8px;background:#f1f4f3;font:600 28px/36px ui-monospace,Menlo,Consolas,monospace;letter-spacing:6px;text-align:center;color:#121c1b">${escape(code)}</p>`
}

function buttonTo(url: string, label: string): string {
  return [
    '<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:20px 0"><tr>',
    `<td class="button" style="border-radius:8px;background:#005e5b"><a href="${escape(url)}" class="on-button" style="display:inline-block;padding:12px 20px;font-size:15px;line-height:20px;font-weight:600;color:#ffffff;text-decoration:none">${escape(label)}</a></td>`,
    '</tr></table>',
    smallText(
      `Or copy this link into the browser:<br><span style="word-break:break-all">${escape(url)}</span>`,
    ).replace('margin:20px 0 0', 'margin:0'),
  ].join('\n')
}

const darkStyles = `@media (prefers-color-scheme: dark) {
  .page { background: #0e1212 !important } .card { background: #1d2222 !important; border-color: #2b3131 !important }
  .ink { color: #eef1f0 !important } .ink2 { color: #b0b7b6 !important } .ink3 { color: #949c9b !important }
  .product { color: #7fcfc9 !important } .code { background: #151919 !important }
  .button { background: #77cbc6 !important } .on-button { color: #03211f !important }
}`

function pageHtml(subject: string, content: string, siteUrl: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escape(subject)}</title>
<style>${darkStyles}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f1f4f3;font-family:'Geist Variable',Geist,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:480px">
<tr><td class="product" style="padding:0 4px 16px;font-size:16px;line-height:24px;font-weight:650;letter-spacing:-0.01em;color:#005e5b">${productName}</td></tr>
<tr><td class="card" style="padding:28px;border:1px solid #e0e5e4;border-radius:12px;background:#ffffff">
${content}
</td></tr>
<tr><td class="ink3" style="padding:16px 4px 0;font-size:12px;line-height:18px;color:#5e6969">Sent by ${productName} at <a href="${escape(siteUrl)}" class="ink3" style="color:#5e6969">${escape(siteUrl)}</a></td></tr>
</table>
</td></tr></table>
</body>
</html>
`
}

const htmlEntities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => htmlEntities[character] ?? '')
}
