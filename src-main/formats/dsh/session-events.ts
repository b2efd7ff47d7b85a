import type { Json, JsonObject } from '#shared/model/json.ts'

/** How an event enters the conversation: at its end, or in the place of the entries from `start` to `end`, both included. */
export type SurfaceOp = 'append' | { readonly op: 'replace'; readonly start: number; readonly end: number }

/** What an event that makes a message says beside its data. */
export interface SurfaceIntent {
  readonly surfaceOp: SurfaceOp
  /** Numbers of the events that it comes from: of a replacement at least all that it shadows. */
  readonly sourceEventSeqs?: readonly number[]
}

/** A block of a message; `type` says which members it has. */
export interface ContentBlock {
  readonly type: string
  readonly [member: string]: Json
}

export interface Message {
  readonly id?: string
  readonly role: string
  readonly content: readonly ContentBlock[]
  /** Who made it: `{kind: 'user'}`, `{kind: 'model', provider, model}`, `{kind: 'tool', callId}`. */
  readonly source?: JsonObject
  readonly [member: string]: Json | undefined
}

/** A turn's beginning, by kind. A plugin adds its own by declaration merging. */
export interface TurnTriggerMap {
  user: object
}
export type TurnTrigger = TaggedUnion<TurnTriggerMap>

/** A turn's end, by kind. A plugin adds its own by declaration merging. */
export interface TurnEndReasonMap {
  completed: object
  aborted: { readonly reason?: JsonObject }
  blocked: object
  /** Of a request that failed in the end its failure, else message and code; released versions have either as `error`. */
  error: {
    readonly step?: number
    readonly failure?: JsonObject
    readonly message?: string
    readonly code?: string
    readonly error?: JsonObject
  }
  'max-tokens': object
  interrupted: object
}
export type TurnEndReason = TaggedUnion<TurnEndReasonMap>

type TaggedUnion<Members> = { [Kind in keyof Members]: { readonly kind: Kind } & Members[Kind] }[keyof Members]

interface InTurn {
  readonly turn: number
}

interface InStep extends InTurn {
  readonly step: number
}

/** What events carry, by type. A plugin adds its own by declaration merging. */
export interface SessionEventMap {
  'turn/start': InTurn & { readonly trigger?: TurnTrigger }
  'turn/end': InTurn & { readonly reason: TurnEndReason }
  'step/start': InStep
  'step/end': InStep
  'user/message': Omit<Message, 'role'> & { readonly role?: string; readonly content: readonly ContentBlock[] }
  'steering/message': InTurn & { readonly message: Message }
  'context/message': { readonly content: readonly ContentBlock[]; readonly meta?: Json }
  'assistant/message': InStep & { readonly message: Message; readonly usage?: JsonObject; readonly interrupted?: true }
  'assistant/chunk': InStep & { readonly chunk: JsonObject }
  'tool/call': InStep & { readonly callId: string; readonly name: string; readonly arguments: string }
  'tool/result': InStep & { readonly message: Message; readonly error?: JsonObject; readonly meta?: Json }
  'request/header': { readonly header: JsonObject; readonly reason: 'initial' | 'resume' | 'change' }
  'request/context': { readonly provider: string; readonly model: string; readonly contextWindow?: number }
  'session/title': { readonly title: string; readonly messageSeqs: readonly number[]; readonly source: JsonObject }
  'session/end-seed': object
}

export type SessionEventType = keyof SessionEventMap & string

/** Types whose events make messages, so that they must say how they enter the conversation. */
export type SurfaceEventType =
  | 'user/message'
  | 'steering/message'
  | 'context/message'
  | 'assistant/message'
  | 'tool/result'

/** An accepted event, frozen all through. */
export interface SessionEvent<Type extends SessionEventType = SessionEventType> {
  readonly type: Type
  /** Its place in the log, from 0. */
  readonly seq: number
  /** Milliseconds since 1970. */
  readonly time: number
  readonly data: SessionEventMap[Type]
  readonly surfaceOp?: SurfaceOp
  readonly sourceEventSeqs?: readonly number[]
  /** Readers that do not know its type may pass over it. */
  readonly ignorable?: true
}

/** What is written once of a session. */
export interface SessionHeader {
  readonly version: 0
  readonly id: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** Absolute. */
  readonly cwd?: string
  /** Id of the session that this one comes from. */
  readonly parentSession?: string
  /** Events at its start that are the parent's. */
  readonly seedLength?: number
  readonly origin?: 'subagent'
  readonly delegationDepth?: number
  readonly agentPreset?: string
}
