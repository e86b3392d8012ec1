import type { AgentExtension } from './access.js';

export type { AgentExtension } from './access.js';

/** An agent's card: A2A 1.0 section 4.4.1, as ProtoJSON writes it. */
export interface AgentCard {
  name: string;
  description: string;
  /** The ways to talk to the agent, the preferred one first. */
  supportedInterfaces: AgentInterface[];
  provider?: AgentProvider;
  /** The agent's own version. */
  version: string;
  documentationUrl?: string;
  capabilities: AgentCapabilities;
  /** The ways to authenticate, by the names that `securityRequirements` use. */
  securitySchemes?: { [name: string]: SecurityScheme };
  /** Each entry is one way that suffices. */
  securityRequirements?: SecurityRequirement[];
  /** Media types. */
  defaultInputModes: string[];
  /** Media types. */
  defaultOutputModes: string[];
  skills: AgentSkill[];
  signatures?: AgentCardSignature[];
  iconUrl?: string;
}

/** One way to talk to an agent (A2A 1.0 section 4.4.6). */
export interface AgentInterface {
  url: string;
  /** `JSONRPC`, `HTTP+JSON`, `GRPC`, or the name of another binding. */
  protocolBinding: 'JSONRPC' | 'HTTP+JSON' | 'GRPC' | (string & {});
  /** Major and minor, such as `1.0`. */
  protocolVersion: string;
  tenant?: string;
}

/** Who offers an agent (A2A 1.0 section 4.4.2). */
export interface AgentProvider {
  organization: string;
  url: string;
}

/** The optional parts of A2A that an agent supports (A2A 1.0 section 4.4.3). */
export interface AgentCapabilities {
  streaming?: boolean;
  pushNotifications?: boolean;
  extensions?: AgentExtension[];
  /** Whether somebody who is authenticated gets a fuller card. */
  extendedAgentCard?: boolean;
}

/** One thing that an agent is good at (A2A 1.0 section 4.4.5). */
export interface AgentSkill {
  id: string;
  name: string;
  description: string;
  tags: string[];
  examples?: string[];
  inputModes?: string[];
  outputModes?: string[];
  securityRequirements?: SecurityRequirement[];
}

/** A JSON Web Signature of a card (A2A 1.0 section 4.4.7). */
export interface AgentCardSignature {
  protected: string;
  signature: string;
  header?: { [name: string]: unknown };
}

/** Schemes that are needed together, each with its scopes. */
export interface SecurityRequirement {
  schemes: { [name: string]: { list: string[] } };
}

/** A way to authenticate (A2A 1.0 section 4.5.1): exactly one member. */
export type SecurityScheme =
  | { apiKeySecurityScheme: ApiKeySecurityScheme }
  | { httpAuthSecurityScheme: HttpAuthSecurityScheme }
  | { oauth2SecurityScheme: OAuth2SecurityScheme }
  | { openIdConnectSecurityScheme: OpenIdConnectSecurityScheme }
  | { mtlsSecurityScheme: MutualTlsSecurityScheme };

/** A key in a header, the query or a cookie. */
export interface ApiKeySecurityScheme {
  description?: string;
  location: 'query' | 'header' | 'cookie';
  name: string;
}

/** HTTP authentication, such as `Bearer`. */
export interface HttpAuthSecurityScheme {
  description?: string;
  scheme: string;
  bearerFormat?: string;
}

/** OAuth 2.0. */
export interface OAuth2SecurityScheme {
  description?: string;
  flows: OAuthFlows;
  oauth2MetadataUrl?: string;
}

/** OpenID Connect. */
export interface OpenIdConnectSecurityScheme {
  description?: string;
  openIdConnectUrl: string;
}

/** Mutual TLS. */
export interface MutualTlsSecurityScheme {
  description?: string;
}

/** The OAuth 2.0 flow that an agent supports (A2A 1.0 section 4.5.7): exactly one member. */
export type OAuthFlows =
  | { authorizationCode: AuthorizationCodeOAuthFlow }
  | { clientCredentials: ClientCredentialsOAuthFlow }
  | { deviceCode: DeviceCodeOAuthFlow }
  | { implicit: ImplicitOAuthFlow }
  | { password: PasswordOAuthFlow };

/** The authorization code flow. */
export interface AuthorizationCodeOAuthFlow {
  authorizationUrl: string;
  tokenUrl: string;
  refreshUrl?: string;
  scopes: { [scope: string]: string };
  pkceRequired?: boolean;
}

/** The client credentials flow. */
export interface ClientCredentialsOAuthFlow {
  tokenUrl: string;
  refreshUrl?: string;
  scopes: { [scope: string]: string };
}

/** The device code flow (RFC 8628). */
export interface DeviceCodeOAuthFlow {
  deviceAuthorizationUrl: string;
  tokenUrl: string;
  refreshUrl?: string;
  scopes: { [scope: string]: string };
}

/** The implicit flow; A2A 1.0 advises against it. */
export interface ImplicitOAuthFlow {
  authorizationUrl?: string;
  refreshUrl?: string;
  scopes?: { [scope: string]: string };
}

/** The password flow; A2A 1.0 advises against it. */
export interface PasswordOAuthFlow {
  tokenUrl?: string;
  refreshUrl?: string;
  scopes?: { [scope: string]: string };
}

/** Data that nobody may change, at every depth. */
export type Frozen<T> = T extends (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;

/** A card without the addresses of its interfaces. */
export type AgentCardSource = Frozen<
  Omit<AgentCard, 'supportedInterfaces'> & { supportedInterfaces: Omit<AgentInterface, 'url'>[] }
>;

/** Where the agent is reached, and what its card says otherwise than the source. */
export interface AgentCardOptions {
  /** An http or https URL without query and fragment; every interface gets it, with a slash at its end. */
  readonly baseUrl: string | { readonly href: string };
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly version?: string | undefined;
  readonly provider?: AgentProvider | undefined;
  readonly documentationUrl?: string | undefined;
  readonly iconUrl?: string | undefined;
  readonly skills?: readonly AgentSkill[] | undefined;
  readonly streaming?: boolean | undefined;
  readonly pushNotifications?: boolean | undefined;
  /** Only with authentication (A2A 1.0 section 13.3). */
  readonly extendedAgentCard?: boolean | undefined;
  readonly securitySchemes?: { readonly [name: string]: SecurityScheme } | undefined;
  readonly securityRequirements?: readonly SecurityRequirement[] | undefined;
}

/** A new card; throws a TypeError that says what is wrong with `baseUrl`. */
export declare function buildAgentCard(
  source: AgentCardSource,
  options: AgentCardOptions,
): AgentCard;
