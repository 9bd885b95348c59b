/** Saves a text as a file, through the browser's download. */
export function downloadText(name: string, text: string, type: string): void {
  downloadBlob(name, new Blob([text], { type }))
}

/** Saves a file, through the browser's download. */
export function downloadBlob(name: string, file: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // Some browsers read a large file only after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
