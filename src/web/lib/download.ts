/** Lets the browser download a text as a file. */
export function downloadText(name: string, text: string, type: string): void {
  downloadBlob(name, new Blob([text], { type }))
}

/** Lets the browser download a file. */
export function downloadBlob(name: string, file: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // Some browsers read a large file only after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
