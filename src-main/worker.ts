import { workerData, type MessagePort } from 'node:worker_threads'
import { portChannel } from '#main/engine/port-channel.ts'
import { serveRole, type RoleOptions } from '#main/engine/serve-role.ts'

const { options, port } = workerData as { readonly options: RoleOptions; readonly port: MessagePort }
serveRole(options, portChannel(port))
