import { Fragment } from 'react'
import { type NoteBlock, type NotePart, readNote } from './note-text.ts'

/** The formatted text of a note. HTML in it is shown as text. */
export function NoteBody({ body }: { body: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-1.5 text-sm wrap-anywhere max-sm:text-15/5.5">
      {readNote(body).map((block, index) => (
        // The blocks of a note are never reordered, so their index is a stable key.
        <Block key={index} block={block} />
      ))}
    </div>
  )
}

function Block({ block }: { block: NoteBlock }) {
  if (block.kind === 'paragraph')
    return (
      <p className="whitespace-pre-wrap">
        {block.lines.map((line, index) => (
          <Fragment key={index}>
            {index > 0 && '\n'}
            <Parts parts={line} />
          </Fragment>
        ))}
      </p>
    )
  const items = block.items.map((item, index) => (
    <li key={index} className="pl-0.5">
      <Parts parts={item} />
    </li>
  ))
  return block.start === null ? (
    <ul className="list-disc pl-4.5 marker:text-ink3">{items}</ul>
  ) : (
    <ol start={block.start} className="num list-decimal pl-5.5 marker:text-ink3">
      {items}
    </ol>
  )
}

function Parts({ parts }: { parts: readonly NotePart[] }) {
  return parts.map((part, index) => <Part key={index} part={part} />)
}

function Part({ part }: { part: NotePart }) {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'bold':
      return (
        <strong className="font-semibold">
          <Parts parts={part.parts} />
        </strong>
      )
    case 'link':
      return (
        <a
          href={part.href}
          target="_blank"
          rel="noopener noreferrer"
          className="text-accent-text underline decoration-1 underline-offset-2"
        >
          {part.text}
        </a>
      )
    case 'mention':
      return (
        <span className="inline-block max-w-full truncate rounded-badge bg-active px-1 align-bottom font-medium text-ink">
          @{part.name}
        </span>
      )
  }
}
