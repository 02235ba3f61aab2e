COPY account (id, organization_id, environment, name, currency, time_zone, created_at) FROM stdin;
01a21083-e81c-72af-9730-7b9659b9f990	01a21083-e805-75eb-abbc-b3db39ef0acc	sandbox	Fictional Shops	USD	America/New_York	2026-11-25 02:23:29.82+00
\.

COPY account_policy (account_id, rule_set_id, pricing_model_id) FROM stdin;
01a21083-e81c-72af-9730-7b9659b9f990	01a21083-ea3c-7000-8009-6a8dbc7e984d	01a21083-e8ba-7000-8001-d3200a280a64
\.

COPY business (id, account_id, legal_name, operating_name, established_date, industry_category_code, website, phone_number, email, address, no_persons_attested, version, erased_at, created_at, updated_at) FROM stdin;
01a21083-ea41-7000-800a-3a9f924cffb1	01a21083-e81c-72af-9730-7b9659b9f990	Invented Orchards Ltd	Orchards	2001-02-28	{0742,5967}	https://orchards.example	+1 555 0100	office@orchards.example	{"city": "Portland", "line1": "1 Nowhere Road", "line2": "Unit 2", "region": "OR", "country": "US", "postal_code": "97205"}	f	2	\N	2026-11-25 02:23:30.369+00	2026-11-25 02:23:30.369+00
01a21083-ea4e-7000-800e-5fe381296485	01a21083-e81c-72af-9730-7b9659b9f990	Bare Ltd	\N	\N	{}	\N	\N	\N	\N	f	1	\N	2026-11-25 02:23:30.382+00	2026-11-25 02:23:30.382+00
01a21083-ea50-7000-800f-863754be4da1	01a21083-e81c-72af-9730-7b9659b9f990	Nobody Ltd	\N	\N	{}	\N	\N	\N	\N	t	1	\N	2026-11-25 02:23:30.384+00	2026-11-25 02:23:30.384+00
01a21083-eb77-7000-8035-dd8471118270	01a21083-e81c-72af-9730-7b9659b9f990	(erased)	\N	\N	{}	\N	\N	\N	\N	f	2	2026-11-25 02:23:30.746+00	2026-11-25 02:23:30.679+00	2026-11-25 02:23:30.746+00
\.

COPY credential (api_key, organization_id, environment, name, policy, policy_forced, permissions, secret_sealed, token_sha256, created_at, expires_at, last_used_at, revoked_at) FROM stdin;
sb_353TKFrt8Z3Ga3QmlcxT1	01a21083-e805-75eb-abbc-b3db39ef0acc	sandbox	back office	strict	f	{read,write,rules,keys,webhooks}	\\x012fd8780fdb859a1cdb4575c7dbd00378e809f99ea97917be86fe1ea23ce266533a0cf80a0d58ff764b01059e321c9e067623ac004ca82186d55bc4ecff33af56fbe3473ba0662e01203142c533	\\x3e65c0513299ecf4aede2b0b97856c8fbc52c6bc15d8d69b4cba2baff28357cc	2026-11-25 02:23:29.845+00	\N	2026-11-25 02:23:30.251+00	\N
sb_353TKFuKAatfuOriUC4gR	01a21083-e805-75eb-abbc-b3db39ef0acc	sandbox	reporting	strict	f	{read}	\\x012fd8780f0af224a4d934a7e83153fa3ad5802956b45e2a287896927db37035c0e21cc2c75134dd2aa15f63d3ea487b21c51e7dcaea74c575cfb34da9577ecd34b54197b705526d0bc445ba6dbf	\\x5c22ada684e63e5826d8c22e861c965cc017a6033382c76a6aeb27e87146fb99	2026-11-25 02:23:29.87+00	2200-01-01 00:00:00+00	2026-11-25 02:23:34.4+00	\N
sb_353TKFwfNiL3QGkJbP4Ga	01a21083-e805-75eb-abbc-b3db39ef0acc	sandbox	trials	minimal	f	{read,write,rules,keys,webhooks}	\\x012fd8780f6aec106cb963fefced11391249058145104a9564e9a0a774efcf10929f4f9521a39bc719ca087d8c184a1a0acc55d3bb8b0c17874c2b4e6806b38af0fd76bc350e68a7ebbe2c1cfe87	\\x0e6b35c0fa6e57252a09923ba1da69dd7b108af2602ea1974a3674b3944bb854	2026-11-25 02:23:29.894+00	\N	2026-11-25 02:23:34.403+00	\N
sb_353TKFz0F5Z9mn6qNbnpu	01a21083-e805-75eb-abbc-b3db39ef0acc	sandbox	former	strict	f	{read,write,rules,keys,webhooks}	\\x012fd8780f8f46ff21974ebf95e42eb85052d0784e8a2c089c0ba7de97042166c04a5ffabd3ed54e6746a0df710233d80b0faecceb108e8877c5399de891be88731a408e1bc99b28e568145c3900	\\x9b514fd5351f8f8e17c30af639ed459aad34c67ed242751ca5e08844c8e8bce9	2026-11-25 02:23:29.918+00	\N	\N	2026-11-25 02:23:29.944+00
\.

COPY idempotency (organization_id, environment, operation, key, body_sha256, outcome, created_at) FROM stdin;
01a21083-e805-75eb-abbc-b3db39ef0acc	sandbox	business.create	orchards	\\x4fbd8c5adad6c210c4551c7b70be2f644a03561e48b6886fc39ed59b7c9b6812	{"data": {"person_ids": ["p_353TKGgxshmzH8PXTZmMW", "p_353TKGgxshmzIC4oCwiPi"], "business_id": "b_353TKGgxshmzFe69RuG8n", "sales_info_id": "bsi_353TKGgxshmzKTEZjTI7I"}}	2026-11-25 02:23:30.369+00
01a21083-e805-75eb-abbc-b3db39ef0acc	sandbox	workflow.pricing.calculate	price	\\xa41b1af73071d9e41baf2a30a1bdccf6c84cfede3b6db01fcecb696fd2f597d6	{"data": {"evaluation_score": 600.375}}	2026-11-25 02:23:30.413+00
01a21083-e805-75eb-abbc-b3db39ef0acc	sandbox	workflow.requiredDocument.calculate	calculate	\\xa41b1af73071d9e41baf2a30a1bdccf6c84cfede3b6db01fcecb696fd2f597d6	{"data": {"kept": [{"status": "NEEDS_REVIEW", "entity_id": "b_353TKGgxshmzFe69RuG8n", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_353TKGofL4g5cHEK3ZxRC"}, {"status": "COMPLETED", "entity_id": "b_353TKGgxshmzFe69RuG8n", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_353TKGofL4g5e09YIvil4"}, {"status": "PENDING", "entity_id": "b_353TKGgxshmzFe69RuG8n", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_353TKGofL4g5eV0Gfw6Bi"}, {"status": "PENDING", "entity_id": "b_353TKGgxshmzFe69RuG8n", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_353TKGofL4g5fcI24tLfx"}, {"status": "PENDING", "entity_id": "w_353TKGioiGKe6VSTrr23P", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_353TKGofL4g5hUqjCZMi7"}, {"status": "PENDING", "entity_id": "b_353TKGgxshmzFe69RuG8n", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_353TKGofL4g5ivO4h83O6"}, {"status": "PENDING", "entity_id": "p_353TKGgxshmzH8PXTZmMW", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_353TKGofL4g5jgfXFpRge"}], "removed": [{"status": "INACTIVE", "entity_id": "p_353TKGgxshmzIC4oCwiPi", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_353TKGofL4g5lcdxHmqia"}]}}	2026-11-25 02:23:30.577+00
01a21083-e805-75eb-abbc-b3db39ef0acc	sandbox	workflow.requiredDocument.calculate	ended	\\x0846a3c1739f7e718af61b5fc057701bc64dc33e831c894440b9e4bcec26e851	{"refusal": {"code": "SYSTEM_RULE_VIOLATION", "message": "The workflow has ended and accepts no further changes.", "sub_code": "WORKFLOW_ENDED", "entity_id": "w_353TKH2tjFaPFjRvxBAL1", "entity_type": "Workflow"}}	2026-11-25 02:23:30.666+00
01a21083-e805-75eb-abbc-b3db39ef0acc	sandbox	webhook.key.create	key	\\xef76aa17cdd68eabd31fb9c37d0db7626d018f8449feb505d72713a8a2435c52	{"data": {"key_id": "whk_20261125_02", "status": "INACTIVE", "created_at": "2026-11-25T02:23:33.954Z"}}	2026-11-25 02:23:33.96+00
01a21083-e805-75eb-abbc-b3db39ef0acc	sandbox	webhook.key.activate	activate	\\x51b6499ccd171864215186948cc9d383d3f20208e5a19f7f7069cad03ecf2216	{"data": {"key_id": "whk_20261125_02", "status": "ACTIVE", "activated_at": "2026-11-25T02:23:33.976Z"}}	2026-11-25 02:23:33.975+00
\.

COPY nonce (api_key, nonce, expires_at) FROM stdin;
sb_353TKFrt8Z3Ga3QmlcxT1	234AUOLZASGYU3YJ5ELBVVJB35	2026-11-25 02:38:34.494825+00
sb_353TKFrt8Z3Ga3QmlcxT1	23YCPXVD5JX52NKYUQYOSJRYNV	2026-11-25 02:38:33.79756+00
sb_353TKFrt8Z3Ga3QmlcxT1	25R2UCBCHK2J6HQZZVUVVELW2J	2026-11-25 02:38:34.583196+00
sb_353TKFrt8Z3Ga3QmlcxT1	2FZ3OGH3VEVHOKGK3GBW3AB3I7	2026-11-25 02:38:34.408775+00
sb_353TKFrt8Z3Ga3QmlcxT1	2HG656WQDKEKNCBJB2QULPAVPJ	2026-11-25 02:38:34.536688+00
sb_353TKFrt8Z3Ga3QmlcxT1	2VCPZEH6WN4WKSEQ6CX7XWYCKJ	2026-11-25 02:38:30.315784+00
sb_353TKFrt8Z3Ga3QmlcxT1	33QVABKGA23JDRBKKHD3TIHGKI	2026-11-25 02:38:34.352733+00
sb_353TKFrt8Z3Ga3QmlcxT1	3KSN2UFOLXWTRZIIBIL2B2PF44	2026-11-25 02:38:33.779339+00
sb_353TKFrt8Z3Ga3QmlcxT1	3ZKARICEE5IAAHBJLXQWPT2UWL	2026-11-25 02:38:33.907439+00
sb_353TKFrt8Z3Ga3QmlcxT1	43SKVPXAQZYWES375D75J4OEXH	2026-11-25 02:38:34.572853+00
sb_353TKFrt8Z3Ga3QmlcxT1	4BMHU6BVFZ42HOE6NNW7OG22W3	2026-11-25 02:38:34.422316+00
sb_353TKFrt8Z3Ga3QmlcxT1	4CURT7244LQXTDMVDECDXDDK6B	2026-11-25 02:38:34.462675+00
sb_353TKFrt8Z3Ga3QmlcxT1	4MO5QT4SQLRGHKFZNG434X3FXN	2026-11-25 02:38:34.393943+00
sb_353TKFrt8Z3Ga3QmlcxT1	4MVZJXJQZA2ONGEHWJR54FFZ7X	2026-11-25 02:38:34.570691+00
sb_353TKFrt8Z3Ga3QmlcxT1	4OJXP2X2RJU7GPNFK3RWPZ4IXK	2026-11-25 02:38:34.558412+00
sb_353TKFrt8Z3Ga3QmlcxT1	4QADEKI55M63Q6H46OKIE7MQWF	2026-11-25 02:38:34.541978+00
sb_353TKFrt8Z3Ga3QmlcxT1	4VGYCME5LMUHZQTEJDXUX2HXXL	2026-11-25 02:38:34.625243+00
sb_353TKFrt8Z3Ga3QmlcxT1	52TKNVYCYQPHKBBNFA5PBZNOBH	2026-11-25 02:38:30.560204+00
sb_353TKFrt8Z3Ga3QmlcxT1	54RHBY76HTR52X5WKILMKLYCXU	2026-11-25 02:38:34.608456+00
sb_353TKFrt8Z3Ga3QmlcxT1	5INZFRGBUGKVUAQUJHBCHNCJMT	2026-11-25 02:38:30.353454+00
sb_353TKFrt8Z3Ga3QmlcxT1	5PDL4HJDT3GK3MGP5KWGEQPNHB	2026-11-25 02:38:34.167012+00
sb_353TKFrt8Z3Ga3QmlcxT1	5PQR6HVMRHSKNEBCXG5OX65D2J	2026-11-25 02:38:34.530027+00
sb_353TKFrt8Z3Ga3QmlcxT1	5QOA62WEPFGBUQHAY5ECPRH657	2026-11-25 02:38:34.419843+00
sb_353TKFrt8Z3Ga3QmlcxT1	5VMQYSDRN4YMO7QCAGM3H4P25L	2026-11-25 02:38:33.939154+00
sb_353TKFrt8Z3Ga3QmlcxT1	65WEZKW4N2NR2FKS6N5A3G77IA	2026-11-25 02:38:34.440405+00
sb_353TKFrt8Z3Ga3QmlcxT1	65WLNYI4SE7E7COOGJYFOTBE2W	2026-11-25 02:38:34.397595+00
sb_353TKFrt8Z3Ga3QmlcxT1	66D2LD4Z3RU5FXBNGFDWZJMWVD	2026-11-25 02:38:30.681981+00
sb_353TKFrt8Z3Ga3QmlcxT1	677KQWTEYOV65UZP7RW52R6IHW	2026-11-25 02:38:34.595101+00
sb_353TKFrt8Z3Ga3QmlcxT1	6GOTHDKQ32KZ6MCD7WYSKQ2V7O	2026-11-25 02:38:34.375671+00
sb_353TKFrt8Z3Ga3QmlcxT1	76KYVCC7AQFHIBNU6NXEMTB3RI	2026-11-25 02:38:34.517175+00
sb_353TKFrt8Z3Ga3QmlcxT1	7F4SOQWI4FDKGTN5UX6W36MTLJ	2026-11-25 02:38:34.006143+00
sb_353TKFrt8Z3Ga3QmlcxT1	7O46SX4EK7RJVLS2Z5XVBNJKTF	2026-11-25 02:38:34.599199+00
sb_353TKFrt8Z3Ga3QmlcxT1	7XSLOPQ7WAVYYVBOHNF4TQ3I6I	2026-11-25 02:38:33.936857+00
sb_353TKFrt8Z3Ga3QmlcxT1	7Y3TP6Z5RQA5XIZGLYO4XZU42N	2026-11-25 02:38:34.604055+00
sb_353TKFrt8Z3Ga3QmlcxT1	7ZW3PPH7RQ2EAUAQ72PBHTWBWO	2026-11-25 02:38:30.277831+00
sb_353TKFrt8Z3Ga3QmlcxT1	A43HWFTPNFAVPVEFY4GLKELUA6	2026-11-25 02:38:30.470915+00
sb_353TKFrt8Z3Ga3QmlcxT1	AFVV2TUFDV7HA5PLIROUR554OV	2026-11-25 02:38:30.381276+00
sb_353TKFrt8Z3Ga3QmlcxT1	AGMTX7Q3UKFQCJ5EVVMWU722HY	2026-11-25 02:38:33.811702+00
sb_353TKFrt8Z3Ga3QmlcxT1	AI32YXIOSX5OL6642YCYI5F4Z2	2026-11-25 02:38:33.927754+00
sb_353TKFrt8Z3Ga3QmlcxT1	ARIS4S3MQTGJX6JL3DZHZBPDZK	2026-11-25 02:38:34.578051+00
sb_353TKFrt8Z3Ga3QmlcxT1	B3A3IKRKB7N2UOMCIM23HRFQBV	2026-11-25 02:38:34.106318+00
sb_353TKFrt8Z3Ga3QmlcxT1	BAXR7W52VWBHYVSBT4TSU7JZO7	2026-11-25 02:38:34.026732+00
sb_353TKFrt8Z3Ga3QmlcxT1	BAZLBA2AT2KW7LBZTA4Y7X2NIK	2026-11-25 02:38:34.607125+00
sb_353TKFrt8Z3Ga3QmlcxT1	BCUL3O4FLW6P55K27DNH4BRSCR	2026-11-25 02:38:30.383497+00
sb_353TKFrt8Z3Ga3QmlcxT1	BGMGEOP5OCNMD6OJHZLOPL4R72	2026-11-25 02:38:34.620793+00
sb_353TKFrt8Z3Ga3QmlcxT1	BJ6C6LFN6NMUS7WC4TVPFBEIHY	2026-11-25 02:38:34.447609+00
sb_353TKFrt8Z3Ga3QmlcxT1	BL44MIEED3LCEIHFXXAJDGQPAF	2026-11-25 02:38:30.463406+00
sb_353TKFrt8Z3Ga3QmlcxT1	BWGWRWESWCZEQEOVYDQUWZPYUF	2026-11-25 02:38:34.587643+00
sb_353TKFrt8Z3Ga3QmlcxT1	CBI6JZHCNMNKM4E2Z5MYFFCXJK	2026-11-25 02:38:34.414339+00
sb_353TKFrt8Z3Ga3QmlcxT1	CH3CHWG5DHIKZF7QT46KAHFUIH	2026-11-25 02:38:34.406279+00
sb_353TKFrt8Z3Ga3QmlcxT1	CPARFPWRBXNKANJY7R75LHY7DI	2026-11-25 02:38:33.980216+00
sb_353TKFrt8Z3Ga3QmlcxT1	CPZWFIFXMS533Y3MNGO2GRZVMG	2026-11-25 02:38:34.392495+00
sb_353TKFrt8Z3Ga3QmlcxT1	CSPZ66S7MNROBGG7T2QLVZ23TE	2026-11-25 02:38:33.834916+00
sb_353TKFrt8Z3Ga3QmlcxT1	CT4THTSNZDTKYF3TGE32KZUGGU	2026-11-25 02:38:34.442716+00
sb_353TKFrt8Z3Ga3QmlcxT1	CZWANVG4EABU3LQESW7ACHLNB3	2026-11-25 02:38:34.584708+00
sb_353TKFrt8Z3Ga3QmlcxT1	D56FC767LLTUC6YHQGQPKTDCUL	2026-11-25 02:38:33.808663+00
sb_353TKFrt8Z3Ga3QmlcxT1	DLZSWK32STOMW6EBMRXRVT4YWP	2026-11-25 02:38:34.610235+00
sb_353TKFrt8Z3Ga3QmlcxT1	DMMT66YLGBW2CUWHVYCQNS4MSR	2026-11-25 02:38:34.417491+00
sb_353TKFrt8Z3Ga3QmlcxT1	E47VATR6WQHIYG7LAWSXQ4CM2Q	2026-11-25 02:38:34.207224+00
sb_353TKFrt8Z3Ga3QmlcxT1	EAMBEKP5KRCHVREOEQYRPFGZBT	2026-11-25 02:38:34.586302+00
sb_353TKFrt8Z3Ga3QmlcxT1	F44FHW34DBNITNM6B5X67OLHC6	2026-11-25 02:38:30.596576+00
sb_353TKFrt8Z3Ga3QmlcxT1	F62XIPVQMDC4VR6ANC43TJB2ED	2026-11-25 02:38:34.432789+00
sb_353TKFrt8Z3Ga3QmlcxT1	F7CR6BQHTWABP6CFKHHJODLZ4P	2026-11-25 02:38:34.555872+00
sb_353TKFrt8Z3Ga3QmlcxT1	FLT27TTRZP4U2FJSFNT55CATAI	2026-11-25 02:38:34.435051+00
sb_353TKFrt8Z3Ga3QmlcxT1	FNWICQSQBWYL5KZ3GJPQRZEYK7	2026-11-25 02:38:30.497214+00
sb_353TKFrt8Z3Ga3QmlcxT1	G4T7DGWKIG4TVWUBNJ5P5OLOXL	2026-11-25 02:38:30.390492+00
sb_353TKFrt8Z3Ga3QmlcxT1	GQ46JWKWRSLFEBUHY3RWUPBD5H	2026-11-25 02:38:34.464627+00
sb_353TKFrt8Z3Ga3QmlcxT1	GY7Y6LNE2ENCA4MNE3OC7DNJS7	2026-11-25 02:38:34.579604+00
sb_353TKFrt8Z3Ga3QmlcxT1	HBUV65HYXLZT7PD5BIFI5FKIRD	2026-11-25 02:38:34.630953+00
sb_353TKFrt8Z3Ga3QmlcxT1	HGHY4G65JQWTGLQ2WNHNYTWF4M	2026-11-25 02:38:34.409903+00
sb_353TKFrt8Z3Ga3QmlcxT1	HMDF2ZFXG7DJXI57B4RF4WXATL	2026-11-25 02:38:33.787587+00
sb_353TKFrt8Z3Ga3QmlcxT1	HS7AJBKHWYYV4ACTZPTYEPF6MJ	2026-11-25 02:38:34.496928+00
sb_353TKFrt8Z3Ga3QmlcxT1	HVPFFXJWBX7XHMDII5YOBJSBF6	2026-11-25 02:38:34.001405+00
sb_353TKFrt8Z3Ga3QmlcxT1	HXP5WH3QY5NUNFCKFDATLZZGFC	2026-11-25 02:38:34.523613+00
sb_353TKFrt8Z3Ga3QmlcxT1	IETYDKB5VZOITQAVWYAQ723VV5	2026-11-25 02:38:33.814627+00
sb_353TKFrt8Z3Ga3QmlcxT1	IFBNGWUGJUWZORXTLISVL5K4JI	2026-11-25 02:38:34.502103+00
sb_353TKFrt8Z3Ga3QmlcxT1	IMSOGHGCCXPLUDJ7SV3FF65EWK	2026-11-25 02:38:33.902559+00
sb_353TKFrt8Z3Ga3QmlcxT1	IOPWTS2D277OCZYJBDKFDE2PMY	2026-11-25 02:38:30.512142+00
sb_353TKFrt8Z3Ga3QmlcxT1	ITP7MI7VBJVOO65FIXDHNZWMGL	2026-11-25 02:38:34.436736+00
sb_353TKFrt8Z3Ga3QmlcxT1	J7PCKKVULPQJZAYHSBMYVGSUIV	2026-11-25 02:38:34.343257+00
sb_353TKFrt8Z3Ga3QmlcxT1	JMD7SP7L4VAICIXLWBEK7OVQTG	2026-11-25 02:38:34.602094+00
sb_353TKFrt8Z3Ga3QmlcxT1	JNMNF3SFJJKSNKAJTPZOAAOBLU	2026-11-25 02:38:34.465992+00
sb_353TKFrt8Z3Ga3QmlcxT1	JOX2KFRO4O5LUWNUK676LFXEC2	2026-11-25 02:38:34.553339+00
sb_353TKFrt8Z3Ga3QmlcxT1	JPIZZ2MAMCA67FOXXMVQLDFEUA	2026-11-25 02:38:30.335732+00
sb_353TKFrt8Z3Ga3QmlcxT1	K4EV5SHR6GRP2GGVRHEJTOJNUD	2026-11-25 02:38:34.539612+00
sb_353TKFrt8Z3Ga3QmlcxT1	KBJ6UNGITSEHM7XQE7P73FEWA2	2026-11-25 02:38:34.498651+00
sb_353TKFrt8Z3Ga3QmlcxT1	KF2F6OHJKRPABRKHB65VX47E6O	2026-11-25 02:38:34.413055+00
sb_353TKFrt8Z3Ga3QmlcxT1	KILN7N3LQSTJKJZV23DTYQZOI2	2026-11-25 02:38:33.965002+00
sb_353TKFrt8Z3Ga3QmlcxT1	KKA7RXRTI2U7ELQYMNLWECMS7Z	2026-11-25 02:38:34.622538+00
sb_353TKFrt8Z3Ga3QmlcxT1	KNG6EPXKXVGUMQOQ2EN4KMJS5Q	2026-11-25 02:38:34.508645+00
sb_353TKFrt8Z3Ga3QmlcxT1	KPHPESODOUSDFBBGQ3QLCMQI5G	2026-11-25 02:38:34.511381+00
sb_353TKFrt8Z3Ga3QmlcxT1	KQGLL3LRSIWAKJAALZVZTUEKXK	2026-11-25 02:38:34.247238+00
sb_353TKFrt8Z3Ga3QmlcxT1	KQRQ75PP4XHHBTS2RCGGASKEAN	2026-11-25 02:38:34.600587+00
sb_353TKFrt8Z3Ga3QmlcxT1	KR7V2C2YYRDLZPWGF6BRYR7ZA5	2026-11-25 02:38:34.568131+00
sb_353TKFrt8Z3Ga3QmlcxT1	KVCRWKLEDBWKVTX5ZUCFOE5EEX	2026-11-25 02:38:30.586696+00
sb_353TKFrt8Z3Ga3QmlcxT1	KYYPYKQANETOLAJYGPE34N45FQ	2026-11-25 02:38:34.525204+00
sb_353TKFrt8Z3Ga3QmlcxT1	L32M7CUGB4RIWZLAX4NDBEQP4L	2026-11-25 02:38:34.518843+00
sb_353TKFrt8Z3Ga3QmlcxT1	L32TVD7ZDPZ5F4V7CA3BMQMTMY	2026-11-25 02:38:34.623815+00
sb_353TKFrt8Z3Ga3QmlcxT1	L3Q4RZQBFMAGWRZY246XILP27U	2026-11-25 02:38:33.83851+00
sb_353TKFrt8Z3Ga3QmlcxT1	L5OAPB4UQVLQJHUDNNIUVFRCJO	2026-11-25 02:38:34.576137+00
sb_353TKFrt8Z3Ga3QmlcxT1	LETHBMUTVMBASZ4L2ZNE3DYRNE	2026-11-25 02:38:34.424473+00
sb_353TKFrt8Z3Ga3QmlcxT1	LSJQFIA6BLIFE3GD2PXMIAA2N4	2026-11-25 02:38:33.80371+00
sb_353TKFrt8Z3Ga3QmlcxT1	LVFE67UMIHUUYF5QQU5DP5QSFW	2026-11-25 02:38:30.321043+00
sb_353TKFrt8Z3Ga3QmlcxT1	M7RRPK7HPNOMI57UQYHUTVILXD	2026-11-25 02:38:34.360928+00
sb_353TKFrt8Z3Ga3QmlcxT1	MGDOZLU6W2XB4JA5I22C7DYQEY	2026-11-25 02:38:34.396036+00
sb_353TKFrt8Z3Ga3QmlcxT1	MSTH5Z6QBR3L3S2ZT2A4N3TIKD	2026-11-25 02:38:34.228046+00
sb_353TKFrt8Z3Ga3QmlcxT1	MVLYCDEJXSIOJGBI6MTH5C6PHH	2026-11-25 02:38:34.04688+00
sb_353TKFrt8Z3Ga3QmlcxT1	MWKQZMHTHYCHJLSHBVBLGI6ELW	2026-11-25 02:38:34.615861+00
sb_353TKFrt8Z3Ga3QmlcxT1	MZSTRZYFPF4JZFU4UV2GMN5EKP	2026-11-25 02:38:34.521697+00
sb_353TKFrt8Z3Ga3QmlcxT1	N6ENVC5GUKQGS7NPYHAVM7EZVJ	2026-11-25 02:38:33.806291+00
sb_353TKFrt8Z3Ga3QmlcxT1	NLQ443QRGBGQCEZ4CSNP4GYSVM	2026-11-25 02:38:34.067265+00
sb_353TKFrt8Z3Ga3QmlcxT1	NOZHSJDYOYKF2FUE3WNNXAFBI5	2026-11-25 02:38:34.626597+00
sb_353TKFrt8Z3Ga3QmlcxT1	OAJ4YYDJMUY2NPH2XJLIPCNLL7	2026-11-25 02:38:34.445955+00
sb_353TKFrt8Z3Ga3QmlcxT1	OD76EK4E35X6KQ5WJPNAAANZ33	2026-11-25 02:38:30.247978+00
sb_353TKFrt8Z3Ga3QmlcxT1	OG64ZYUFBFXUVAHWSVWBY6QJ67	2026-11-25 02:38:34.47986+00
sb_353TKFrt8Z3Ga3QmlcxT1	OTTDA4ASBL4SLQT2YUMKBKWA7U	2026-11-25 02:38:30.582687+00
sb_353TKFrt8Z3Ga3QmlcxT1	OZX2QI2XDEVOJZZ6KOD6WM7P2V	2026-11-25 02:38:30.301264+00
sb_353TKFrt8Z3Ga3QmlcxT1	P3EDBR6QCATDVEVWAD6I5MXQNA	2026-11-25 02:38:34.454321+00
sb_353TKFrt8Z3Ga3QmlcxT1	PF4G6KF263YSNI2GOUWCRWV24S	2026-11-25 02:38:34.187185+00
sb_353TKFrt8Z3Ga3QmlcxT1	PLZEAT6DWZHQFJVGMP25ICBMY3	2026-11-25 02:38:34.534983+00
sb_353TKFrt8Z3Ga3QmlcxT1	PV2CO3PDLCD3SYGRCD5J3VMY26	2026-11-25 02:38:34.605721+00
sb_353TKFrt8Z3Ga3QmlcxT1	Q452DUFAOLZFNVGW7AUQEMPW7E	2026-11-25 02:38:34.146939+00
sb_353TKFrt8Z3Ga3QmlcxT1	Q4V6WYVG6KXIR2L7QKB7AVTIFW	2026-11-25 02:38:34.617596+00
sb_353TKFrt8Z3Ga3QmlcxT1	Q6CBTYDCY4GPBLP7SM2SBTG5BS	2026-11-25 02:38:30.619795+00
sb_353TKFrt8Z3Ga3QmlcxT1	QDCYXBQIQPIQ4C7ZM7J6YC6CFJ	2026-11-25 02:38:30.323503+00
sb_353TKFrt8Z3Ga3QmlcxT1	QLC7MU55X64LLXH5G6BM36RGS4	2026-11-25 02:38:34.581399+00
sb_353TKFrt8Z3Ga3QmlcxT1	QRBBQU7MRBIB2ZZ34JPCJTPOZO	2026-11-25 02:38:34.566119+00
sb_353TKFrt8Z3Ga3QmlcxT1	QRD6MULNVWFTUDOAB5G6UFEOBQ	2026-11-25 02:38:34.449095+00
sb_353TKFrt8Z3Ga3QmlcxT1	QW6S7IHTHUPNPV25FIZDTHB2Z7	2026-11-25 02:38:30.41782+00
sb_353TKFrt8Z3Ga3QmlcxT1	QWEAUJK5KN4L2CBMH2JC6BZVZ3	2026-11-25 02:38:30.318403+00
sb_353TKFrt8Z3Ga3QmlcxT1	QWSNQ7WCCOEKJPLAOGYCB6KZFM	2026-11-25 02:38:34.561104+00
sb_353TKFrt8Z3Ga3QmlcxT1	R5GVQKVJ2QQHMXAZJ6AASH7Y6Z	2026-11-25 02:38:34.538155+00
sb_353TKFrt8Z3Ga3QmlcxT1	R7ECMZNPLJJH7Z7ADRCXZKAJ73	2026-11-25 02:38:34.550677+00
sb_353TKFrt8Z3Ga3QmlcxT1	R7ZERUEQVR752KPMPO466JH7DP	2026-11-25 02:38:34.492979+00
sb_353TKFrt8Z3Ga3QmlcxT1	RNZBGBRFI2IGCJO6V3POWPGIDC	2026-11-25 02:38:30.454452+00
sb_353TKFrt8Z3Ga3QmlcxT1	S2ED2XSD6OP4BEM4YN7RE26WFZ	2026-11-25 02:38:34.411433+00
sb_353TKFrt8Z3Ga3QmlcxT1	SC4YHYZPX2OCWM26UPQW5LJ3L3	2026-11-25 02:38:34.562801+00
sb_353TKFrt8Z3Ga3QmlcxT1	SMQNMP6RUFFFICQFFWOCB35ZVY	2026-11-25 02:38:30.479814+00
sb_353TKFrt8Z3Ga3QmlcxT1	SR5YHB47NFJLATUFK6TA5B2RZG	2026-11-25 02:38:34.51406+00
sb_353TKFrt8Z3Ga3QmlcxT1	SSZN36HBVORHVEWDQD6GL5ST5Z	2026-11-25 02:38:34.540776+00
sb_353TKFrt8Z3Ga3QmlcxT1	STFHQN773SIIMYE2JKDWYQK32Q	2026-11-25 02:38:34.458075+00
sb_353TKFrt8Z3Ga3QmlcxT1	SXR33LQCP32KQ5HDC6JJDTMVPB	2026-11-25 02:38:34.597869+00
sb_353TKFrt8Z3Ga3QmlcxT1	T2HGZTNCRFK7FVFVI3XOUFIP6B	2026-11-25 02:38:33.793852+00
sb_353TKFrt8Z3Ga3QmlcxT1	TACN55SD3QDPNIFPIENHKO7WPS	2026-11-25 02:38:33.773361+00
sb_353TKFrt8Z3Ga3QmlcxT1	TBTN2LYQWAF2IGHPF5T456VGTH	2026-11-25 02:38:34.612672+00
sb_353TKFrt8Z3Ga3QmlcxT1	TEO4RLAQROXM3MK4ULHPFDPEG7	2026-11-25 02:38:34.57443+00
sb_353TKFrt8Z3Ga3QmlcxT1	TFIJKFFZ74SBHFDF46XQ6SMWP5	2026-11-25 02:38:30.536197+00
sb_353TKFrt8Z3Ga3QmlcxT1	TMCAKLIRSMBCSDZTRZYOQCR2WL	2026-11-25 02:38:34.504844+00
sb_353TKFrt8Z3Ga3QmlcxT1	TNDMPS4AWTI7BNVWMLSEKM2232	2026-11-25 02:38:34.515317+00
sb_353TKFrt8Z3Ga3QmlcxT1	TQXFARU5L37K2ZRMOBLHPXQ4ZC	2026-11-25 02:38:30.312419+00
sb_353TKFrt8Z3Ga3QmlcxT1	TWXLIDLXH72VPAU456WNW763F4	2026-11-25 02:38:30.326013+00
sb_353TKFrt8Z3Ga3QmlcxT1	TZB6AFXM2GP556BB5KR753QQKT	2026-11-25 02:38:33.930765+00
sb_353TKFrt8Z3Ga3QmlcxT1	U3CZG3PNVFMSPFGK4XCBI3RRLO	2026-11-25 02:38:30.65599+00
sb_353TKFrt8Z3Ga3QmlcxT1	U4H6J7BAYHENUVHWOMU3CWFEZP	2026-11-25 02:38:34.429882+00
sb_353TKFrt8Z3Ga3QmlcxT1	UGBC23BWD4GL6YIMLW7EQI7SYI	2026-11-25 02:38:34.526886+00
sb_353TKFrt8Z3Ga3QmlcxT1	UJO7BZCSYYVKIJUJIZTQICBA2V	2026-11-25 02:38:30.646931+00
sb_353TKFrt8Z3Ga3QmlcxT1	UMHIJLZV5VT3PK4EMEN4SEYTSY	2026-11-25 02:38:34.339443+00
sb_353TKFrt8Z3Ga3QmlcxT1	UN5PJZ26OHRLM44NZYJ37TRJL2	2026-11-25 02:38:34.533151+00
sb_353TKFrt8Z3Ga3QmlcxT1	UNRJHFI7JR2G4PGIL5RROZHYV7	2026-11-25 02:38:34.460931+00
sb_353TKFrt8Z3Ga3QmlcxT1	UOAMUXQVXSXPVGLQEYVBEKXTVS	2026-11-25 02:38:34.394996+00
sb_353TKFrt8Z3Ga3QmlcxT1	UXZQBEHDDY2BOCKUOATHNC4UZD	2026-11-25 02:38:34.398508+00
sb_353TKFrt8Z3Ga3QmlcxT1	V2Q4PXGTUCEVUJMLINQF2HXRK5	2026-11-25 02:38:34.355397+00
sb_353TKFrt8Z3Ga3QmlcxT1	V7MVEYQLHSUG6X7TPSJGESU2SQ	2026-11-25 02:38:30.368055+00
sb_353TKFrt8Z3Ga3QmlcxT1	VGQBHDJIK4PRRA5HSRK7HN4UG3	2026-11-25 02:38:34.614114+00
sb_353TKFrt8Z3Ga3QmlcxT1	VO7WKS3LBKW6RQL6GJQQMMZKZ3	2026-11-25 02:38:34.619543+00
sb_353TKFrt8Z3Ga3QmlcxT1	VP4HRXTRNDVIRZCZ7ENEC4DHMF	2026-11-25 02:38:34.528478+00
sb_353TKFrt8Z3Ga3QmlcxT1	VWUABDZE6JFXHCDR7KQHZVVIRH	2026-11-25 02:38:33.948696+00
sb_353TKFrt8Z3Ga3QmlcxT1	VXSKT7WEG5WXE54GUHKK4HA6AU	2026-11-25 02:38:34.590835+00
sb_353TKFrt8Z3Ga3QmlcxT1	WKINQD63KRK4DQGNC7GKQLEAQD	2026-11-25 02:38:34.267114+00
sb_353TKFrt8Z3Ga3QmlcxT1	WKW5F24H6OR4L5W4677B44TLU4	2026-11-25 02:38:34.456508+00
sb_353TKFrt8Z3Ga3QmlcxT1	WM3CD2767OFRCL2KRCLWP6EY5C	2026-11-25 02:38:34.459784+00
sb_353TKFrt8Z3Ga3QmlcxT1	WRM7B2M6NDMKAVS6CF24BE3SEB	2026-11-25 02:38:34.547686+00
sb_353TKFrt8Z3Ga3QmlcxT1	WTFAMUH3K5PHG764V4UY6FSZYM	2026-11-25 02:38:30.592628+00
sb_353TKFrt8Z3Ga3QmlcxT1	X4L5JNI6MCFBIPNNEWLJ5ZBQBS	2026-11-25 02:38:34.407331+00
sb_353TKFrt8Z3Ga3QmlcxT1	X7AWC4XRLU4T2CU4YBHXPPFB6J	2026-11-25 02:38:34.126661+00
sb_353TKFrt8Z3Ga3QmlcxT1	XBH7CEEO4KT6UGQMG2Z5TIWKRG	2026-11-25 02:38:34.564571+00
sb_353TKFrt8Z3Ga3QmlcxT1	XBRQITWDDSLYACZHPQGEXP3WI3	2026-11-25 02:38:34.357936+00
sb_353TKFrt8Z3Ga3QmlcxT1	XFLFRMQUFUEMQBVM5XADKAOYTY	2026-11-25 02:38:34.427254+00
sb_353TKFrt8Z3Ga3QmlcxT1	XVIIAMCEGWEZI6QVYF2TJBQX5Q	2026-11-25 02:38:34.452757+00
sb_353TKFrt8Z3Ga3QmlcxT1	XZVAMOTRTNPEX4TNXTQVTLNPEI	2026-11-25 02:38:34.086767+00
sb_353TKFrt8Z3Ga3QmlcxT1	Y3DY5SUOGUAAQCO6J65LBZNUWN	2026-11-25 02:38:34.34899+00
sb_353TKFrt8Z3Ga3QmlcxT1	Y6RADOIDHG4BJO4HZO6JCDCUMA	2026-11-25 02:38:33.942497+00
sb_353TKFrt8Z3Ga3QmlcxT1	YMNK26YTSP6T5NAQ55F7TR6ZYM	2026-11-25 02:38:34.531508+00
sb_353TKFrt8Z3Ga3QmlcxT1	YXWOW2L52MQNA6XVPT4IOGVJBS	2026-11-25 02:38:34.451287+00
sb_353TKFrt8Z3Ga3QmlcxT1	Z6L7JCL375DFVEYM5HOJ6FPKG3	2026-11-25 02:38:30.386308+00
sb_353TKFrt8Z3Ga3QmlcxT1	Z6SHO67LZY2NNN5OKLG2YUBSYA	2026-11-25 02:38:30.677717+00
sb_353TKFrt8Z3Ga3QmlcxT1	Z6ZHJ57ANGL6N3R3CILUK4FUBS	2026-11-25 02:38:33.783262+00
sb_353TKFrt8Z3Ga3QmlcxT1	ZDJRZZXTA6H36LV6YOEWOTYMCA	2026-11-25 02:38:33.801208+00
sb_353TKFrt8Z3Ga3QmlcxT1	ZGME7HLY5TV3MX7W5JJNPVTNYJ	2026-11-25 02:38:34.438409+00
sb_353TKFrt8Z3Ga3QmlcxT1	ZPCDHG3E3NLEZYADBZ5RMJBS6F	2026-11-25 02:38:34.588869+00
sb_353TKFuKAatfuOriUC4gR	6EXINKJCNVCKBP2UQABRFHA3FZ	2026-11-25 02:38:34.405405+00
sb_353TKFuKAatfuOriUC4gR	ZCIGNGWSTMORT6Z7OYOE4A4XWX	2026-11-25 02:38:34.399685+00
sb_353TKFwfNiL3QGkJbP4Ga	7L74ATFLKT4UEA2DPD2NFSQQAY	2026-11-25 02:38:34.401205+00
\.

COPY organization (id, name, created_at) FROM stdin;
01a21083-e805-75eb-abbc-b3db39ef0acc	Fictional Acquirer	2026-11-25 02:23:29.797+00
\.

COPY person (id, business_id, first_name, last_name, citizenship, ownership_percentage, date_of_birth, email, created_at, updated_at) FROM stdin;
01a21083-ea41-7000-800b-624a6df8d90c	01a21083-ea41-7000-800a-3a9f924cffb1	Ada	Unreal	DE	33.33	1980-02-29	ada@orchards.example	2026-11-25 02:23:30.369+00	2026-11-25 02:23:30.369+00
01a21083-ea41-7000-800c-349c4db1449a	01a21083-ea41-7000-800a-3a9f924cffb1	Bo	Imagined	US	66.67	\N	\N	2026-11-25 02:23:30.369+00	2026-11-25 02:23:30.525+00
\.

COPY pricing_model (id, account_id, version, content, content_sha256, environment_version, cost_limit, published_at, published_by) FROM stdin;
01a21083-e8ba-7000-8001-d3200a280a64	01a21083-e81c-72af-9730-7b9659b9f990	1	{"base":500.25,"rules":[{"name":"five years","when":"business_age_years >= 5","points":100.125},{"name":"high volume","when":"average_yearly_credit_sales > 1000000","points":-40},{"name":"known trade","when":"industry_category_code.exists(c, c == \\"5411\\")","points":30}]}	\\xb7ccfb98f755854a260f78076d9454574aca5c798f5f09a169fd5be934a4b7e6	1	6000000	2026-11-25 02:23:29.978+00	Priya
\.

COPY required_document (id, workflow_id, document_type_code, name, category, requirement_text, entity_type, entity_id, status, previous_status, reasons, created_at, updated_at) FROM stdin;
01a21083-ea90-7000-8014-9212a81c191a	01a21083-ea54-7000-8010-9fc9524b4563	REGISTRATION	Registration	LEGAL	An extract of the register.	Business	b_353TKGgxshmzFe69RuG8n	NEEDS_REVIEW	\N	[{"rule": "always required", "facts": {}, "message": "Registration: always required, for the rule has no condition.", "version_id": "rul_353TKGgTf8armXbfj6LBF"}]	2026-11-25 02:23:30.448+00	2026-11-25 02:23:30.467+00
01a21083-ea90-7000-8015-e8892132e66e	01a21083-ea54-7000-8010-9fc9524b4563	BANK_STATEMENTS	Bank statements	FINANCIAL	Three most recent statements.	Business	b_353TKGgxshmzFe69RuG8n	COMPLETED	\N	[{"rule": "average_monthly_credit_sales > 50000 || industry_category_code.exists(c, c in lists.high_risk)", "facts": {"average_monthly_credit_sales": 60000}, "message": "Bank statements: required because average monthly credit sales are 60000, more than 50000.", "version_id": "rul_353TKGgTf8armXbfj6LBF"}]	2026-11-25 02:23:30.448+00	2026-11-25 02:23:30.493+00
01a21083-ea90-7000-8016-4b587ac0d82e	01a21083-ea54-7000-8010-9fc9524b4563	YEARLY_ACCOUNTS	Yearly accounts	FINANCIAL	The last yearly accounts.	Business	b_353TKGgxshmzFe69RuG8n	PENDING	\N	[{"rule": "average_yearly_credit_sales / 12 > 1000.5 && established_date < date(\\"2010-01-01\\")", "facts": {"established_date": "2001-02-28", "average_yearly_credit_sales": 720000.5}, "message": "Yearly accounts: required because average yearly credit sales divided by 12 is about 60000.041667, more than 1000.5; and the business's established date is 2001-02-28, before 2010-01-01.", "version_id": "rul_353TKGgTf8armXbfj6LBF"}]	2026-11-25 02:23:30.448+00	2026-11-25 02:23:30.448+00
01a21083-ea90-7000-8017-2943423c1945	01a21083-ea54-7000-8010-9fc9524b4563	PRICE_LIST	Price list	TRADE	What is sold, at which price.	Business	b_353TKGgxshmzFe69RuG8n	PENDING	\N	[{"rule": "average_individual_sale < 20 || highest_ticket_sale >= 5000", "facts": {"average_individual_sale": 19.99}, "message": "Price list: required because the average individual sale is 19.99, less than 20.", "version_id": "rul_353TKGgTf8armXbfj6LBF"}]	2026-11-25 02:23:30.448+00	2026-11-25 02:23:30.448+00
01a21083-ea90-7000-8018-9e971e2db30f	01a21083-ea54-7000-8010-9fc9524b4563	REVIEW	Review	RISK	A review by two persons.	Workflow	w_353TKGioiGKe6VSTrr23P	PENDING	\N	[{"rule": "evaluation_score <= 640", "facts": {"evaluation_score": 600.375}, "message": "Review: required because the evaluation score is 600.375, at most 640.", "version_id": "rul_353TKGgTf8armXbfj6LBF"}]	2026-11-25 02:23:30.448+00	2026-11-25 02:23:30.448+00
01a21083-ea90-7000-8019-ba2ad2efb852	01a21083-ea54-7000-8010-9fc9524b4563	OWNERSHIP_CHART	Ownership	IDENTITY	Who owns what.	Business	b_353TKGgxshmzFe69RuG8n	PENDING	\N	[{"rule": "size(persons) > 1 && persons.exists(p, p.ownership_percentage >= 25)", "facts": {"persons": {"p_353TKGgxshmzH8PXTZmMW": {"ownership_percentage": 33.33}, "p_353TKGgxshmzIC4oCwiPi": {"ownership_percentage": 66.67}}}, "message": "Ownership: required because the number of persons is 2, more than 1; the ownership percentage of person p_353TKGgxshmzH8PXTZmMW is 33.33, at least 25; and the ownership percentage of person p_353TKGgxshmzIC4oCwiPi is 66.67, at least 25.", "version_id": "rul_353TKGgTf8armXbfj6LBF"}]	2026-11-25 02:23:30.448+00	2026-11-25 02:23:30.448+00
01a21083-ea90-7000-801a-519ae88ff038	01a21083-ea54-7000-8010-9fc9524b4563	PASSPORT	Passport	IDENTITY	The photo page.	Person	p_353TKGgxshmzH8PXTZmMW	PENDING	\N	[{"rule": "person.citizenship != \\"US\\" && person.ownership_percentage >= 25", "facts": {"persons": {"p_353TKGgxshmzH8PXTZmMW": {"citizenship": "DE", "ownership_percentage": 33.33}}}, "message": "Passport: required because the citizenship of person p_353TKGgxshmzH8PXTZmMW is DE, not US; and the ownership percentage of person p_353TKGgxshmzH8PXTZmMW is 33.33, at least 25.", "version_id": "rul_353TKGgTf8armXbfj6LBF"}]	2026-11-25 02:23:30.448+00	2026-11-25 02:23:30.448+00
01a21083-ea90-7000-801b-d1dec970178c	01a21083-ea54-7000-8010-9fc9524b4563	PASSPORT	Passport	IDENTITY	The photo page.	Person	p_353TKGgxshmzIC4oCwiPi	INACTIVE	NEEDS_REVIEW	[{"rule": "person.citizenship != \\"US\\" && person.ownership_percentage >= 25", "facts": {"persons": {"p_353TKGgxshmzIC4oCwiPi": {"citizenship": "NO", "ownership_percentage": 66.67}}}, "message": "Passport: required because the citizenship of person p_353TKGgxshmzIC4oCwiPi is NO, not US; and the ownership percentage of person p_353TKGgxshmzIC4oCwiPi is 66.67, at least 25.", "version_id": "rul_353TKGgTf8armXbfj6LBF"}]	2026-11-25 02:23:30.448+00	2026-11-25 02:23:30.579+00
01a21083-eb50-7000-802c-d2e8848f2695	01a21083-eb22-7000-8028-e3868c7869b7	REGISTRATION	Registration	LEGAL	An extract of the register.	Business	b_353TKGgxshmzFe69RuG8n	PENDING	\N	[{"rule": "always required", "facts": {}, "message": "Registration: always required, for the rule has no condition.", "version_id": "rul_353TKGgTf8armXbfj6LBF"}]	2026-11-25 02:23:30.64+00	2026-11-25 02:23:30.64+00
01a21083-eb50-7000-802d-53df78ea82a7	01a21083-eb22-7000-8028-e3868c7869b7	BANK_STATEMENTS	Bank statements	FINANCIAL	Three most recent statements.	Business	b_353TKGgxshmzFe69RuG8n	PENDING	\N	[{"rule": "average_monthly_credit_sales > 50000 || industry_category_code.exists(c, c in lists.high_risk)", "facts": {"average_monthly_credit_sales": 60000}, "message": "Bank statements: required because average monthly credit sales are 60000, more than 50000.", "version_id": "rul_353TKGgTf8armXbfj6LBF"}]	2026-11-25 02:23:30.64+00	2026-11-25 02:23:30.64+00
01a21083-eb50-7000-802e-a8aa8408cc0b	01a21083-eb22-7000-8028-e3868c7869b7	YEARLY_ACCOUNTS	Yearly accounts	FINANCIAL	The last yearly accounts.	Business	b_353TKGgxshmzFe69RuG8n	PENDING	\N	[{"rule": "average_yearly_credit_sales / 12 > 1000.5 && established_date < date(\\"2010-01-01\\")", "facts": {"established_date": "2001-02-28", "average_yearly_credit_sales": 720000.5}, "message": "Yearly accounts: required because average yearly credit sales divided by 12 is about 60000.041667, more than 1000.5; and the business's established date is 2001-02-28, before 2010-01-01.", "version_id": "rul_353TKGgTf8armXbfj6LBF"}]	2026-11-25 02:23:30.64+00	2026-11-25 02:23:30.64+00
01a21083-eb50-7000-802f-6f1e29154d6a	01a21083-eb22-7000-8028-e3868c7869b7	PRICE_LIST	Price list	TRADE	What is sold, at which price.	Business	b_353TKGgxshmzFe69RuG8n	PENDING	\N	[{"rule": "average_individual_sale < 20 || highest_ticket_sale >= 5000", "facts": {"average_individual_sale": 19.99}, "message": "Price list: required because the average individual sale is 19.99, less than 20.", "version_id": "rul_353TKGgTf8armXbfj6LBF"}]	2026-11-25 02:23:30.64+00	2026-11-25 02:23:30.64+00
01a21083-eb50-7000-8030-b5132b0e8ccd	01a21083-eb22-7000-8028-e3868c7869b7	REVIEW	Review	RISK	A review by two persons.	Workflow	w_353TKH2tjFaPFjRvxBAL1	PENDING	\N	[{"rule": "evaluation_score <= 640", "facts": {"evaluation_score": 600.375}, "message": "Review: required because the evaluation score is 600.375, at most 640.", "version_id": "rul_353TKGgTf8armXbfj6LBF"}]	2026-11-25 02:23:30.64+00	2026-11-25 02:23:30.64+00
01a21083-eb50-7000-8031-061a32927007	01a21083-eb22-7000-8028-e3868c7869b7	OWNERSHIP_CHART	Ownership	IDENTITY	Who owns what.	Business	b_353TKGgxshmzFe69RuG8n	PENDING	\N	[{"rule": "size(persons) > 1 && persons.exists(p, p.ownership_percentage >= 25)", "facts": {"persons": {"p_353TKGgxshmzH8PXTZmMW": {"ownership_percentage": 33.33}, "p_353TKGgxshmzIC4oCwiPi": {"ownership_percentage": 66.67}}}, "message": "Ownership: required because the number of persons is 2, more than 1; the ownership percentage of person p_353TKGgxshmzH8PXTZmMW is 33.33, at least 25; and the ownership percentage of person p_353TKGgxshmzIC4oCwiPi is 66.67, at least 25.", "version_id": "rul_353TKGgTf8armXbfj6LBF"}]	2026-11-25 02:23:30.64+00	2026-11-25 02:23:30.64+00
01a21083-eb50-7000-8032-2b9f56706213	01a21083-eb22-7000-8028-e3868c7869b7	PASSPORT	Passport	IDENTITY	The photo page.	Person	p_353TKGgxshmzH8PXTZmMW	PENDING	\N	[{"rule": "person.citizenship != \\"US\\" && person.ownership_percentage >= 25", "facts": {"persons": {"p_353TKGgxshmzH8PXTZmMW": {"citizenship": "DE", "ownership_percentage": 33.33}}}, "message": "Passport: required because the citizenship of person p_353TKGgxshmzH8PXTZmMW is DE, not US; and the ownership percentage of person p_353TKGgxshmzH8PXTZmMW is 33.33, at least 25.", "version_id": "rul_353TKGgTf8armXbfj6LBF"}]	2026-11-25 02:23:30.64+00	2026-11-25 02:23:30.64+00
\.

COPY rule_set (id, account_id, version, content, content_sha256, comment, environment_version, cost_limit, published_at, published_by) FROM stdin;
01a21083-ea29-7000-8008-f939e56fd27a	01a21083-e81c-72af-9730-7b9659b9f990	1	{"documents":[{"document_type_code":"REGISTRATION","name":"Registration","category":"LEGAL","requirement_text":"An extract of the register.","entity_type":"Business"}]}	\\x8478d1389811e11dddd8c8456460dbeea27f3558198675f38e8d625a8eb5cda0	\N	1	6000000	2026-11-25 02:23:30.345+00	back office
01a21083-ea3c-7000-8009-6a8dbc7e984d	01a21083-e81c-72af-9730-7b9659b9f990	2	{"lists":{"high_risk":["7995","5967"]},"documents":[{"document_type_code":"REGISTRATION","name":"Registration","category":"LEGAL","requirement_text":"An extract of the register.","entity_type":"Business"},{"document_type_code":"BANK_STATEMENTS","name":"Bank statements","category":"FINANCIAL","requirement_text":"Three most recent statements.","entity_type":"Business","when":"average_monthly_credit_sales > 50000 || industry_category_code.exists(c, c in lists.high_risk)"},{"document_type_code":"YEARLY_ACCOUNTS","name":"Yearly accounts","category":"FINANCIAL","requirement_text":"The last yearly accounts.","entity_type":"Business","when":"average_yearly_credit_sales / 12 > 1000.5 && established_date < date(\\"2010-01-01\\")"},{"document_type_code":"PRICE_LIST","name":"Price list","category":"TRADE","requirement_text":"What is sold, at which price.","entity_type":"Business","when":"average_individual_sale < 20 || highest_ticket_sale >= 5000"},{"document_type_code":"BUSINESS_PLAN","name":"Business plan","category":"TRADE","requirement_text":"A plan of the first year.","entity_type":"Business","when":"business_age_months < 6 || business_age_years == 0"},{"document_type_code":"REVIEW","name":"Review","category":"RISK","requirement_text":"A review by two persons.","entity_type":"Workflow","when":"evaluation_score <= 640"},{"document_type_code":"OWNERSHIP_CHART","name":"Ownership","category":"IDENTITY","requirement_text":"Who owns what.","entity_type":"Business","when":"size(persons) > 1 && persons.exists(p, p.ownership_percentage >= 25)"},{"document_type_code":"PASSPORT","name":"Passport","category":"IDENTITY","requirement_text":"The photo page.","entity_type":"Person","when":"person.citizenship != \\"US\\" && person.ownership_percentage >= 25"}],"examples":[{"name":"nobody abroad","facts":{"as_of":"2026-01-01","evaluation_score":700,"average_monthly_credit_sales":1,"average_yearly_credit_sales":12,"average_individual_sale":50,"highest_ticket_sale":60,"established_date":"2001-01-01","industry_category_code":["5411"],"persons":[{"person_id":"p1","citizenship":"US","ownership_percentage":100}]},"expect":{"documents":[{"document_type_code":"REGISTRATION"}]}}]}	\\xb0a639b8168699e53f8aa9039668c14c34fc7e16da650643ed836017f88ce1ad	all facts	1	6000000	2026-11-25 02:23:30.364+00	back office
\.

COPY run_outcome (run_id, organization_id, environment, outcome, created_at) FROM stdin;
01a21083-e9d3-7648-bba9-7a74f287bd7f	01a21083-e805-75eb-abbc-b3db39ef0acc	sandbox	{"key_id": "whk_20261125_01", "status": "INACTIVE", "created_at": "2026-11-25T02:23:30.259Z"}	2026-11-25 02:23:30.268+00
01a21083-e9ea-76e4-97f8-b028cd445087	01a21083-e805-75eb-abbc-b3db39ef0acc	sandbox	{"key_id": "whk_20261125_01", "status": "ACTIVE", "activated_at": "2026-11-25T02:23:30.289Z"}	2026-11-25 02:23:30.286+00
01a21083-ea5b-7a3e-9170-bc559986d0ad	01a21083-e805-75eb-abbc-b3db39ef0acc	sandbox	{"evaluation_score": 600.375}	2026-11-25 02:23:30.413+00
01a21083-ea77-7edc-ba74-4a3c605b0ffb	01a21083-e805-75eb-abbc-b3db39ef0acc	sandbox	{"added": [{"status": "PENDING", "entity_id": "b_353TKGgxshmzFe69RuG8n", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_353TKGofL4g5cHEK3ZxRC"}, {"status": "PENDING", "entity_id": "b_353TKGgxshmzFe69RuG8n", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_353TKGofL4g5e09YIvil4"}, {"status": "PENDING", "entity_id": "b_353TKGgxshmzFe69RuG8n", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_353TKGofL4g5eV0Gfw6Bi"}, {"status": "PENDING", "entity_id": "b_353TKGgxshmzFe69RuG8n", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_353TKGofL4g5fcI24tLfx"}, {"status": "PENDING", "entity_id": "w_353TKGioiGKe6VSTrr23P", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_353TKGofL4g5hUqjCZMi7"}, {"status": "PENDING", "entity_id": "b_353TKGgxshmzFe69RuG8n", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_353TKGofL4g5ivO4h83O6"}, {"status": "PENDING", "entity_id": "p_353TKGgxshmzH8PXTZmMW", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_353TKGofL4g5jgfXFpRge"}, {"status": "PENDING", "entity_id": "p_353TKGgxshmzIC4oCwiPi", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_353TKGofL4g5lcdxHmqia"}]}	2026-11-25 02:23:30.444+00
01a21083-eaec-7553-9b03-4ed13090dcd8	01a21083-e805-75eb-abbc-b3db39ef0acc	sandbox	{"evaluation_score": 600.375}	2026-11-25 02:23:30.555+00
01a21083-eb08-726f-bf57-94e15406fe26	01a21083-e805-75eb-abbc-b3db39ef0acc	sandbox	{"kept": [{"status": "NEEDS_REVIEW", "entity_id": "b_353TKGgxshmzFe69RuG8n", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_353TKGofL4g5cHEK3ZxRC"}, {"status": "COMPLETED", "entity_id": "b_353TKGgxshmzFe69RuG8n", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_353TKGofL4g5e09YIvil4"}, {"status": "PENDING", "entity_id": "b_353TKGgxshmzFe69RuG8n", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_353TKGofL4g5eV0Gfw6Bi"}, {"status": "PENDING", "entity_id": "b_353TKGgxshmzFe69RuG8n", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_353TKGofL4g5fcI24tLfx"}, {"status": "PENDING", "entity_id": "w_353TKGioiGKe6VSTrr23P", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_353TKGofL4g5hUqjCZMi7"}, {"status": "PENDING", "entity_id": "b_353TKGgxshmzFe69RuG8n", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_353TKGofL4g5ivO4h83O6"}, {"status": "PENDING", "entity_id": "p_353TKGgxshmzH8PXTZmMW", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_353TKGofL4g5jgfXFpRge"}], "removed": [{"status": "INACTIVE", "entity_id": "p_353TKGgxshmzIC4oCwiPi", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_353TKGofL4g5lcdxHmqia"}]}	2026-11-25 02:23:30.577+00
01a21083-eb27-73a4-bf3d-85b77e248849	01a21083-e805-75eb-abbc-b3db39ef0acc	sandbox	{"evaluation_score": 600.375}	2026-11-25 02:23:30.612+00
01a21083-eb41-7f2e-a9e0-75e7b0c868b3	01a21083-e805-75eb-abbc-b3db39ef0acc	sandbox	{"added": [{"status": "PENDING", "entity_id": "b_353TKGgxshmzFe69RuG8n", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_353TKH7Nk4aJUvdQ0AUpJ"}, {"status": "PENDING", "entity_id": "b_353TKGgxshmzFe69RuG8n", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_353TKH7Nk4aJVZtr1wzWJ"}, {"status": "PENDING", "entity_id": "b_353TKGgxshmzFe69RuG8n", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_353TKH7Nk4aJXIIlQNf7j"}, {"status": "PENDING", "entity_id": "b_353TKGgxshmzFe69RuG8n", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_353TKH7Nk4aJYIGIU7qsU"}, {"status": "PENDING", "entity_id": "w_353TKH2tjFaPFjRvxBAL1", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_353TKH7Nk4aJZw217ZzH3"}, {"status": "PENDING", "entity_id": "b_353TKGgxshmzFe69RuG8n", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_353TKH7Nk4aJaLKVXFaoZ"}, {"status": "PENDING", "entity_id": "p_353TKGgxshmzH8PXTZmMW", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_353TKH7Nk4aJboyKP0ZYx"}]}	2026-11-25 02:23:30.638+00
01a21083-f842-72fa-b831-bdfdb5f0746c	01a21083-e805-75eb-abbc-b3db39ef0acc	sandbox	{"key_id": "whk_20261125_02", "status": "INACTIVE", "created_at": "2026-11-25T02:23:33.954Z"}	2026-11-25 02:23:33.96+00
01a21083-f851-7469-ba9e-0905e17b3d0b	01a21083-e805-75eb-abbc-b3db39ef0acc	sandbox	{"key_id": "whk_20261125_02", "status": "ACTIVE", "activated_at": "2026-11-25T02:23:33.976Z"}	2026-11-25 02:23:33.975+00
01a21083-f865-71c7-a8d5-6f7b4c76aaaa	01a21083-e805-75eb-abbc-b3db39ef0acc	sandbox	{"key_id": "whk_20261125_03", "status": "INACTIVE", "created_at": "2026-11-25T02:23:33.989Z"}	2026-11-25 02:23:33.995+00
flush/whc_353TKGbnYt7JKKcRUXLBO/353TKM9Dy9RNn83Ak3MdQ/c538c9218508e5151a5fe979c9804b3dce6b70f5e65d7eed16323c3dd39416cd	01a21083-e805-75eb-abbc-b3db39ef0acc	sandbox	{"count": 10, "started_at": "2026-11-25T02:23:33.858Z"}	2026-11-25 02:23:33.885+00
flush/whc_353TKGbnYt7JKKcRUXLBO/353TKM9Dy9RNn83Ak3MdQ/c538c9218508e5151a5fe979c9804b3dce6b70f5e65d7eed16323c3dd39416cd/0	01a21083-e805-75eb-abbc-b3db39ef0acc	sandbox	{"count": 5, "started_at": "2026-11-25T02:23:33.858Z"}	2026-11-25 02:23:33.852+00
flush/whc_353TKGbnYt7JKKcRUXLBO/353TKM9Dy9RNn83Ak3MdQ/c538c9218508e5151a5fe979c9804b3dce6b70f5e65d7eed16323c3dd39416cd/1	01a21083-e805-75eb-abbc-b3db39ef0acc	sandbox	{"count": 5, "started_at": "2026-11-25T02:23:33.858Z"}	2026-11-25 02:23:33.861+00
flush/whc_353TKGbnYt7JKKcRUXLBO/353TKM9Dy9RNn83Ak3MdQ/c538c9218508e5151a5fe979c9804b3dce6b70f5e65d7eed16323c3dd39416cd/2	01a21083-e805-75eb-abbc-b3db39ef0acc	sandbox	{"count": 0}	2026-11-25 02:23:33.878+00
\.

COPY sales_amount (sales_info_id, type, value, currency, position) FROM stdin;
01a21083-ea41-7000-800d-f8b8f9b01f94	AVERAGE_INDIVIDUAL_SALE	19.99	USD	0
01a21083-ea41-7000-800d-f8b8f9b01f94	AVERAGE_MONTHLY_CREDIT_SALES	60000.00	USD	1
01a21083-ea41-7000-800d-f8b8f9b01f94	AVERAGE_YEARLY_CREDIT_SALES	720000.50	USD	2
01a21083-ea41-7000-800d-f8b8f9b01f94	HIGHEST_TICKET_SALE	9999999999999.99	USD	3
\.

COPY sales_info (id, business_id, created_at) FROM stdin;
01a21083-ea41-7000-800d-f8b8f9b01f94	01a21083-ea41-7000-800a-3a9f924cffb1	2026-11-25 02:23:30.369+00
\.

COPY schedule_success (schedule, at) FROM stdin;
prune	2026-11-25 02:23:29.676082+00
reconcile	2026-11-25 02:23:29.676082+00
\.

COPY webhook_attempt (delivery_id, number, endpoint_id, outcome, key_id, started_at, duration_ms, status_code, error, response_body, address, probe, epoch, workflow_id, run_id, activity_id) FROM stdin;
01a21083-ea19-7b6b-913c-a21cf8aaaa72	1	01a21083-ea11-7000-8006-b8054b83c5db	SUCCEEDED	whk_20261125_01	2026-11-25 02:23:30.368+00	1	204	\N		127.0.0.1:41523	f	0	send/353TKGdqeSkdIWdPuvGDf	01a21083-ea23-7e5d-b25e-dcf004ecdf04	
01a21083-ea54-7c9b-a126-e46f144bae97	1	01a21083-ea02-7000-8002-edbdfdca5f2d	SUCCEEDED	whk_20261125_01	2026-11-25 02:23:30.399+00	0	204	\N		127.0.0.1:41523	f	0	send/353TKGdqeSkdIWdPuvGDf	01a21083-ea23-7e5d-b25e-dcf004ecdf04	
01a21083-ea54-7c9c-92b4-0d40007ed422	1	01a21083-ea0f-7000-8005-ac3ddf68747e	FAILED	whk_20261125_01	2026-11-25 02:23:30.399+00	0	503	\N	down for maintenance\n	127.0.0.1:41523	f	0	send/353TKGdqeSkdIWdPuvGDf	01a21083-ea23-7e5d-b25e-dcf004ecdf04	
01a21083-ea54-7cb0-837e-023ff86b4d0c	1	01a21083-ea02-7000-8002-edbdfdca5f2d	SUCCEEDED	whk_20261125_01	2026-11-25 02:23:30.399+00	0	204	\N		127.0.0.1:41523	f	0	send/353TKGdqeSkdIWdPuvGDf	01a21083-ea23-7e5d-b25e-dcf004ecdf04	
01a21083-ea54-7cb1-8827-1df6b0a57ae7	1	01a21083-ea0c-7000-8004-17ade1325c0e	FAILED	whk_20261125_01	2026-11-25 02:23:30.399+00	0	\N	the connection was closed before the whole answer had come		127.0.0.1:41523	f	0	send/353TKGdqeSkdIWdPuvGDf	01a21083-ea23-7e5d-b25e-dcf004ecdf04	
01a21083-ea54-7cb1-8827-1df6b0a57ae7	2	01a21083-ea0c-7000-8004-17ade1325c0e	SUCCEEDED	whk_20261125_01	2026-11-25 02:23:33.9+00	0	204	\N		127.0.0.1:41523	f	1	whc_353TKGbnYt7JKKcRUXLBO	715edec5-beb5-44d4-bac0-a86317149d1f	26
01a21083-ea6f-7091-b0d7-a329377c3e50	1	01a21083-ea02-7000-8002-edbdfdca5f2d	SUCCEEDED	whk_20261125_01	2026-11-25 02:23:30.447+00	0	204	\N		127.0.0.1:41523	f	0	send/353TKGdqeSkdIWdPuvGDf	01a21083-ea23-7e5d-b25e-dcf004ecdf04	
01a21083-ea90-7ebc-b915-165afe755614	1	01a21083-ea02-7000-8002-edbdfdca5f2d	SUCCEEDED	whk_20261125_01	2026-11-25 02:23:30.447+00	0	204	\N		127.0.0.1:41523	f	0	send/353TKGdqeSkdIWdPuvGDf	01a21083-ea23-7e5d-b25e-dcf004ecdf04	
01a21083-eaa4-7c81-a4bb-2951dcf097cf	1	01a21083-ea02-7000-8002-edbdfdca5f2d	SUCCEEDED	whk_20261125_01	2026-11-25 02:23:30.498+00	1	204	\N		127.0.0.1:41523	f	0	send/353TKGdqeSkdIWdPuvGDf	01a21083-ea23-7e5d-b25e-dcf004ecdf04	
01a21083-eaac-72ac-a7f8-287c452eb6ee	1	01a21083-ea02-7000-8002-edbdfdca5f2d	SUCCEEDED	whk_20261125_01	2026-11-25 02:23:30.498+00	0	204	\N		127.0.0.1:41523	f	0	send/353TKGdqeSkdIWdPuvGDf	01a21083-ea23-7e5d-b25e-dcf004ecdf04	
01a21083-eabe-7a2c-8629-89d8886a2f6e	1	01a21083-ea02-7000-8002-edbdfdca5f2d	SUCCEEDED	whk_20261125_01	2026-11-25 02:23:30.498+00	0	204	\N		127.0.0.1:41523	f	0	send/353TKGdqeSkdIWdPuvGDf	01a21083-ea23-7e5d-b25e-dcf004ecdf04	
01a21083-eacb-709a-8898-e4c53b9d29d5	1	01a21083-ea02-7000-8002-edbdfdca5f2d	SUCCEEDED	whk_20261125_01	2026-11-25 02:23:30.498+00	1	204	\N		127.0.0.1:41523	f	0	send/353TKGdqeSkdIWdPuvGDf	01a21083-ea23-7e5d-b25e-dcf004ecdf04	
01a21083-eafc-7cc0-97ea-2f12adb01565	1	01a21083-ea02-7000-8002-edbdfdca5f2d	SUCCEEDED	whk_20261125_01	2026-11-25 02:23:30.562+00	0	204	\N		127.0.0.1:41523	f	0	send/353TKGdqeSkdIWdPuvGDf	01a21083-ea23-7e5d-b25e-dcf004ecdf04	
01a21083-eb13-784c-b8b5-0d969a3e09ee	1	01a21083-ea02-7000-8002-edbdfdca5f2d	SUCCEEDED	whk_20261125_01	2026-11-25 02:23:30.586+00	2	204	\N		127.0.0.1:41523	f	0	send/353TKGdqeSkdIWdPuvGDf	01a21083-ea23-7e5d-b25e-dcf004ecdf04	
01a21083-eb18-7ae8-a81b-6ba9a718f0f8	1	01a21083-ea02-7000-8002-edbdfdca5f2d	SUCCEEDED	whk_20261125_01	2026-11-25 02:23:30.586+00	0	204	\N		127.0.0.1:41523	f	0	send/353TKGdqeSkdIWdPuvGDf	01a21083-ea23-7e5d-b25e-dcf004ecdf04	
01a21083-eb18-7ae9-ae51-02c901bb9e51	1	01a21083-ea0f-7000-8005-ac3ddf68747e	FAILED	whk_20261125_01	2026-11-25 02:23:30.601+00	0	503	\N	down for maintenance\n	127.0.0.1:41523	f	0	send/353TKGdqeSkdIWdPuvGDf	01a21083-ea23-7e5d-b25e-dcf004ecdf04	
01a21083-eb1f-7257-a71b-e7f876b7994d	1	01a21083-ea02-7000-8002-edbdfdca5f2d	SUCCEEDED	whk_20261125_01	2026-11-25 02:23:30.601+00	1	204	\N		127.0.0.1:41523	f	0	send/353TKGdqeSkdIWdPuvGDf	01a21083-ea23-7e5d-b25e-dcf004ecdf04	
01a21083-eb1f-7258-a748-be143ab4e1c6	1	01a21083-ea0f-7000-8005-ac3ddf68747e	FAILED	whk_20261125_01	2026-11-25 02:23:30.601+00	1	503	\N	down for maintenance\n	127.0.0.1:41523	f	0	send/353TKGdqeSkdIWdPuvGDf	01a21083-ea23-7e5d-b25e-dcf004ecdf04	
01a21083-eb1f-726d-879c-144c2c0ca58e	1	01a21083-ea02-7000-8002-edbdfdca5f2d	SUCCEEDED	whk_20261125_01	2026-11-25 02:23:30.601+00	1	204	\N		127.0.0.1:41523	f	0	send/353TKGdqeSkdIWdPuvGDf	01a21083-ea23-7e5d-b25e-dcf004ecdf04	
01a21083-eb1f-726e-bfda-a8ec51c7852e	1	01a21083-ea0c-7000-8004-17ade1325c0e	FAILED	whk_20261125_01	2026-11-25 02:23:30.601+00	5	\N	the connection was closed before the whole answer had come		127.0.0.1:41523	f	0	send/353TKGdqeSkdIWdPuvGDf	01a21083-ea23-7e5d-b25e-dcf004ecdf04	
01a21083-eb1f-726e-bfda-a8ec51c7852e	2	01a21083-ea0c-7000-8004-17ade1325c0e	SUCCEEDED	whk_20261125_01	2026-11-25 02:23:33.9+00	0	204	\N		127.0.0.1:41523	f	1	whc_353TKGbnYt7JKKcRUXLBO	715edec5-beb5-44d4-bac0-a86317149d1f	26
01a21083-eb22-78ff-ac03-0d4d7ef2f2b1	1	01a21083-ea02-7000-8002-edbdfdca5f2d	SUCCEEDED	whk_20261125_01	2026-11-25 02:23:30.601+00	5	204	\N		127.0.0.1:41523	f	0	send/353TKGdqeSkdIWdPuvGDf	01a21083-ea23-7e5d-b25e-dcf004ecdf04	
01a21083-eb22-7901-94a9-45a4ad49ed86	1	01a21083-ea0f-7000-8005-ac3ddf68747e	FAILED	whk_20261125_01	2026-11-25 02:23:30.601+00	2	503	\N	down for maintenance\n	127.0.0.1:41523	f	0	send/353TKGdqeSkdIWdPuvGDf	01a21083-ea23-7e5d-b25e-dcf004ecdf04	
01a21083-eb22-7916-ab7f-8fcfd3661eba	1	01a21083-ea02-7000-8002-edbdfdca5f2d	SUCCEEDED	whk_20261125_01	2026-11-25 02:23:30.601+00	2	204	\N		127.0.0.1:41523	f	0	send/353TKGdqeSkdIWdPuvGDf	01a21083-ea23-7e5d-b25e-dcf004ecdf04	
01a21083-eb22-7917-b988-b48e9bde8810	1	01a21083-ea0c-7000-8004-17ade1325c0e	FAILED	whk_20261125_01	2026-11-25 02:23:30.601+00	1	\N	the connection was closed before the whole answer had come		127.0.0.1:41523	f	0	send/353TKGdqeSkdIWdPuvGDf	01a21083-ea23-7e5d-b25e-dcf004ecdf04	
01a21083-eb22-7917-b988-b48e9bde8810	2	01a21083-ea0c-7000-8004-17ade1325c0e	SUCCEEDED	whk_20261125_01	2026-11-25 02:23:33.9+00	1	204	\N		127.0.0.1:41523	f	1	whc_353TKGbnYt7JKKcRUXLBO	715edec5-beb5-44d4-bac0-a86317149d1f	26
01a21083-eb37-7d94-987d-c224d23df152	1	01a21083-ea02-7000-8002-edbdfdca5f2d	SUCCEEDED	whk_20261125_01	2026-11-25 02:23:30.619+00	0	204	\N		127.0.0.1:41523	f	0	send/353TKGdqeSkdIWdPuvGDf	01a21083-ea23-7e5d-b25e-dcf004ecdf04	
01a21083-eb50-745e-b37d-f3ec1e1f6bdc	1	01a21083-ea02-7000-8002-edbdfdca5f2d	SUCCEEDED	whk_20261125_01	2026-11-25 02:23:30.646+00	0	204	\N		127.0.0.1:41523	f	0	send/353TKGdqeSkdIWdPuvGDf	01a21083-ea23-7e5d-b25e-dcf004ecdf04	
01a21083-eb5c-78ce-b036-d1632b4ca784	1	01a21083-ea02-7000-8002-edbdfdca5f2d	SUCCEEDED	whk_20261125_01	2026-11-25 02:23:30.661+00	0	204	\N		127.0.0.1:41523	f	0	send/353TKGdqeSkdIWdPuvGDf	01a21083-ea23-7e5d-b25e-dcf004ecdf04	
01a21083-eb5c-78ce-b036-d1632b4ca784	2	01a21083-ea02-7000-8002-edbdfdca5f2d	SUCCEEDED	whk_20261125_02	2026-11-25 02:23:34.288+00	0	204	\N		127.0.0.1:41523	f	0	whc_353TKGap7kj4OiXaPpouT	127c3d26-7dff-47ee-8322-90e949772c0e	6
01a21083-eb5c-78cf-9517-74d7911f9656	1	01a21083-ea0a-7000-8003-d0ca907f7d23	FAILED	whk_20261125_01	2026-11-25 02:23:30.661+00	0	503	\N	down for maintenance\n	127.0.0.1:41523	f	0	send/353TKGdqeSkdIWdPuvGDf	01a21083-ea23-7e5d-b25e-dcf004ecdf04	
01a21083-eb5c-78d0-8e6c-60618a918ca7	1	01a21083-ea0c-7000-8004-17ade1325c0e	FAILED	whk_20261125_01	2026-11-25 02:23:30.661+00	0	\N	the connection was closed before the whole answer had come		127.0.0.1:41523	f	0	send/353TKGdqeSkdIWdPuvGDf	01a21083-ea23-7e5d-b25e-dcf004ecdf04	
01a21083-eb5c-78d0-8e6c-60618a918ca7	2	01a21083-ea0c-7000-8004-17ade1325c0e	SUCCEEDED	whk_20261125_01	2026-11-25 02:23:33.9+00	1	204	\N		127.0.0.1:41523	f	1	whc_353TKGbnYt7JKKcRUXLBO	715edec5-beb5-44d4-bac0-a86317149d1f	26
01a21083-eb7d-79e4-8226-13545772dd16	1	01a21083-ea02-7000-8002-edbdfdca5f2d	SUCCEEDED	whk_20261125_01	2026-11-25 02:23:30.691+00	1	204	\N		127.0.0.1:41523	f	0	send/353TKGdqeSkdIWdPuvGDf	01a21083-ea23-7e5d-b25e-dcf004ecdf04	
01a21083-eb7d-79e5-952f-889f87b2d71e	1	01a21083-ea0f-7000-8005-ac3ddf68747e	FAILED	whk_20261125_01	2026-11-25 02:23:30.691+00	1	503	\N	\N	127.0.0.1:41523	f	0	send/353TKGdqeSkdIWdPuvGDf	01a21083-ea23-7e5d-b25e-dcf004ecdf04	
01a21083-eb7d-79f8-ac58-02e15d14dbf8	1	01a21083-ea02-7000-8002-edbdfdca5f2d	SUCCEEDED	whk_20261125_01	2026-11-25 02:23:30.691+00	0	204	\N		127.0.0.1:41523	f	0	send/353TKGdqeSkdIWdPuvGDf	01a21083-ea23-7e5d-b25e-dcf004ecdf04	
01a21083-eb7d-79f9-b32a-24d5556f93e8	1	01a21083-ea0c-7000-8004-17ade1325c0e	FAILED	whk_20261125_01	2026-11-25 02:23:30.691+00	0	\N	the connection was closed before the whole answer had come		127.0.0.1:41523	f	0	send/353TKGdqeSkdIWdPuvGDf	01a21083-ea23-7e5d-b25e-dcf004ecdf04	
01a21083-eb7d-79f9-b32a-24d5556f93e8	2	01a21083-ea0c-7000-8004-17ade1325c0e	SUCCEEDED	whk_20261125_01	2026-11-25 02:23:33.9+00	2	204	\N		127.0.0.1:41523	f	1	whc_353TKGbnYt7JKKcRUXLBO	715edec5-beb5-44d4-bac0-a86317149d1f	26
01a21083-eb97-78bf-9f9d-4b57dfe753a5	1	01a21083-ea11-7000-8006-b8054b83c5db	SUCCEEDED	whk_20261125_01	2026-11-25 02:23:30.731+00	4	204	\N		127.0.0.1:41523	f	0	send/353TKGdqeSkdIWdPuvGDf	01a21083-ea23-7e5d-b25e-dcf004ecdf04	
01a21083-ebad-78f2-8e3a-133527561487	1	01a21083-ea11-7000-8006-b8054b83c5db	SUCCEEDED	whk_20261125_01	2026-11-25 02:23:30.749+00	1	204	\N		127.0.0.1:41523	f	0	send/353TKGdqeSkdIWdPuvGDf	01a21083-ea23-7e5d-b25e-dcf004ecdf04	
01a21083-f791-76ed-9b60-dcd8af2ba9ba	1	01a21083-ea0c-7000-8004-17ade1325c0e	SUCCEEDED	whk_20261125_01	2026-11-25 02:23:33.881+00	0	204	\N		127.0.0.1:41523	f	1	send/353TKM5oUt6X5feKARm6S	01a21083-f7ae-797f-b0a8-d3f0338493e0	
01a21083-f795-7493-a2d0-68a63a4d77f1	1	01a21083-ea0c-7000-8004-17ade1325c0e	SUCCEEDED	whk_20261125_01	2026-11-25 02:23:33.881+00	2	204	\N		127.0.0.1:41523	f	1	send/353TKM5oUt6X5feKARm6S	01a21083-f7ae-797f-b0a8-d3f0338493e0	
01a21083-f799-7a13-9ee0-0330cde694a9	1	01a21083-ea0c-7000-8004-17ade1325c0e	SUCCEEDED	whk_20261125_01	2026-11-25 02:23:33.881+00	0	204	\N		127.0.0.1:41523	f	1	send/353TKM5oUt6X5feKARm6S	01a21083-f7ae-797f-b0a8-d3f0338493e0	
01a21083-f79f-793d-9e63-563373bfa1d4	1	01a21083-ea0c-7000-8004-17ade1325c0e	SUCCEEDED	whk_20261125_01	2026-11-25 02:23:33.881+00	0	204	\N		127.0.0.1:41523	f	1	send/353TKM5oUt6X5feKARm6S	01a21083-f7ae-797f-b0a8-d3f0338493e0	
01a21083-f7a3-73e7-beae-9908c9eb6d35	1	01a21083-ea0c-7000-8004-17ade1325c0e	SUCCEEDED	whk_20261125_01	2026-11-25 02:23:33.881+00	0	204	\N		127.0.0.1:41523	f	1	send/353TKM5oUt6X5feKARm6S	01a21083-f7ae-797f-b0a8-d3f0338493e0	
01a21083-f7aa-71bd-b9ad-ea317b3ac5f9	1	01a21083-ea0a-7000-8003-d0ca907f7d23	FAILED	whk_20261125_01	2026-11-25 02:23:33.813+00	1	503	\N	down for maintenance\n	127.0.0.1:41523	f	0	send/353TKM5oUt6X5feKARm6S	01a21083-f7ae-797f-b0a8-d3f0338493e0	
01a21083-f7ac-7e01-aded-15521ac3f86b	1	01a21083-ea0a-7000-8003-d0ca907f7d23	FAILED	whk_20261125_01	2026-11-25 02:23:33.813+00	0	503	\N	down for maintenance\n	127.0.0.1:41523	f	0	send/353TKM5oUt6X5feKARm6S	01a21083-f7ae-797f-b0a8-d3f0338493e0	
01a21083-f7af-728b-b35d-e686fad86bb5	1	01a21083-ea0a-7000-8003-d0ca907f7d23	FAILED	whk_20261125_01	2026-11-25 02:23:33.813+00	1	503	\N	down for maintenance\n	127.0.0.1:41523	f	0	send/353TKM5oUt6X5feKARm6S	01a21083-f7ae-797f-b0a8-d3f0338493e0	
01a21083-f7b2-729f-9814-95dcbca64a32	1	01a21083-ea0a-7000-8003-d0ca907f7d23	FAILED	whk_20261125_01	2026-11-25 02:23:33.813+00	1	503	\N	down for maintenance\n	127.0.0.1:41523	f	0	send/353TKM5oUt6X5feKARm6S	01a21083-f7ae-797f-b0a8-d3f0338493e0	
01a21083-f7b5-7014-8b5f-000ca6ffd396	1	01a21083-ea0a-7000-8003-d0ca907f7d23	FAILED	whk_20261125_01	2026-11-25 02:23:33.813+00	1	503	\N	down for maintenance\n	127.0.0.1:41523	f	0	send/353TKM5oUt6X5feKARm6S	01a21083-f7ae-797f-b0a8-d3f0338493e0	
01a21083-f7bf-7547-b431-cb38e8e64e51	1	01a21083-ea11-7000-8006-b8054b83c5db	SUCCEEDED	whk_20261125_01	2026-11-25 02:23:33.831+00	0	204	\N		127.0.0.1:41523	f	0	send/353TKM5oUt6X5feKARm6S	01a21083-f7ae-797f-b0a8-d3f0338493e0	
01a21083-f800-7b69-ac71-8da0ee1b9d67	1	01a21083-ea11-7000-8006-b8054b83c5db	SUCCEEDED	whk_20261125_01	2026-11-25 02:23:33.901+00	0	204	\N		127.0.0.1:41523	f	0	send/353TKM5oUt6X5feKARm6S	01a21083-f7ae-797f-b0a8-d3f0338493e0	
01a21083-f810-787f-b023-71dc550e1fd2	1	01a21083-ea0c-7000-8004-17ade1325c0e	SUCCEEDED	whk_20261125_01	2026-11-25 02:23:33.914+00	0	204	\N		127.0.0.1:41523	f	1	send/353TKM5oUt6X5feKARm6S	01a21083-f7ae-797f-b0a8-d3f0338493e0	
01a21083-f83a-704f-9185-97f2420392d1	1	01a21083-ea11-7000-8006-b8054b83c5db	SUCCEEDED	whk_20261125_01	2026-11-25 02:23:33.949+00	0	204	\N		127.0.0.1:41523	f	0	send/353TKM5oUt6X5feKARm6S	01a21083-f7ae-797f-b0a8-d3f0338493e0	
01a21083-f859-7762-a099-e96a2262bf7d	1	01a21083-ea02-7000-8002-edbdfdca5f2d	SUCCEEDED	whk_20261125_02	2026-11-25 02:23:33.981+00	2	204	\N		127.0.0.1:41523	f	0	send/353TKM5oUt6X5feKARm6S	01a21083-f7ae-797f-b0a8-d3f0338493e0	
\.

COPY webhook_delivery (id, account_id, event_id, endpoint_id, of_notice, replay, state, attempt_count, round_attempts, next_attempt_at, asked_at, last_error, created_at, updated_at) FROM stdin;
01a21083-ea19-7b6b-913c-a21cf8aaaa72	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-ea19-7b7f-b2e0-3b96d98bd774	01a21083-ea11-7000-8006-b8054b83c5db	t	f	DELIVERED	1	1	\N	\N	\N	2026-11-25 02:23:30.328+00	2026-11-25 02:23:30.389+00
01a21083-ea54-7c9b-a126-e46f144bae97	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-ea54-7000-8011-0b6c407fb022	01a21083-ea02-7000-8002-edbdfdca5f2d	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-25 02:23:30.388+00	2026-11-25 02:23:30.408+00
01a21083-ea54-7c9c-92b4-0d40007ed422	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-ea54-7000-8011-0b6c407fb022	01a21083-ea0f-7000-8005-ac3ddf68747e	f	f	CANCELED	1	1	\N	\N	HTTP 503	2026-11-25 02:23:30.388+00	2026-11-25 02:23:33.936+00
01a21083-ea54-7cb0-837e-023ff86b4d0c	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-ea54-7000-8012-fdbab5b0a746	01a21083-ea02-7000-8002-edbdfdca5f2d	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-25 02:23:30.388+00	2026-11-25 02:23:30.411+00
01a21083-ea54-7cb1-8827-1df6b0a57ae7	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-ea54-7000-8012-fdbab5b0a746	01a21083-ea0c-7000-8004-17ade1325c0e	f	f	DELIVERED	2	2	\N	\N	\N	2026-11-25 02:23:30.388+00	2026-11-25 02:23:33.91+00
01a21083-ea6f-7091-b0d7-a329377c3e50	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-ea6e-7000-8013-0fb02a9c8a7a	01a21083-ea02-7000-8002-edbdfdca5f2d	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-25 02:23:30.414+00	2026-11-25 02:23:30.477+00
01a21083-ea90-7ebc-b915-165afe755614	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-ea90-7000-801c-b3958e390de9	01a21083-ea02-7000-8002-edbdfdca5f2d	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-25 02:23:30.448+00	2026-11-25 02:23:30.489+00
01a21083-eaa4-7c81-a4bb-2951dcf097cf	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-eaa3-7000-801d-b5c0b9068487	01a21083-ea02-7000-8002-edbdfdca5f2d	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-25 02:23:30.467+00	2026-11-25 02:23:30.53+00
01a21083-eaac-72ac-a7f8-287c452eb6ee	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-eaab-7000-801e-7cb3ac70f179	01a21083-ea02-7000-8002-edbdfdca5f2d	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-25 02:23:30.475+00	2026-11-25 02:23:30.53+00
01a21083-eabe-7a2c-8629-89d8886a2f6e	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-eabd-7000-801f-1b4336009d59	01a21083-ea02-7000-8002-edbdfdca5f2d	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-25 02:23:30.493+00	2026-11-25 02:23:30.53+00
01a21083-eacb-709a-8898-e4c53b9d29d5	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-eac8-7000-8020-282f1b65aa98	01a21083-ea02-7000-8002-edbdfdca5f2d	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-25 02:23:30.504+00	2026-11-25 02:23:30.53+00
01a21083-eafc-7cc0-97ea-2f12adb01565	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-eafc-7000-8021-d922080cefa2	01a21083-ea02-7000-8002-edbdfdca5f2d	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-25 02:23:30.556+00	2026-11-25 02:23:30.567+00
01a21083-eb13-784c-b8b5-0d969a3e09ee	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-eb13-7000-8022-379e7bd5cfb2	01a21083-ea02-7000-8002-edbdfdca5f2d	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-25 02:23:30.579+00	2026-11-25 02:23:30.597+00
01a21083-eb18-7ae8-a81b-6ba9a718f0f8	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-eb18-7000-8024-0e59c0cffefa	01a21083-ea02-7000-8002-edbdfdca5f2d	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-25 02:23:30.584+00	2026-11-25 02:23:30.591+00
01a21083-eb18-7ae9-ae51-02c901bb9e51	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-eb18-7000-8024-0e59c0cffefa	01a21083-ea0f-7000-8005-ac3ddf68747e	f	f	CANCELED	1	1	\N	\N	HTTP 503	2026-11-25 02:23:30.584+00	2026-11-25 02:23:33.936+00
01a21083-eb1f-7257-a71b-e7f876b7994d	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-eb1e-7000-8026-ff3eb9ad34d2	01a21083-ea02-7000-8002-edbdfdca5f2d	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-25 02:23:30.59+00	2026-11-25 02:23:30.606+00
01a21083-eb1f-7258-a748-be143ab4e1c6	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-eb1e-7000-8026-ff3eb9ad34d2	01a21083-ea0f-7000-8005-ac3ddf68747e	f	f	CANCELED	1	1	\N	\N	HTTP 503	2026-11-25 02:23:30.59+00	2026-11-25 02:23:33.936+00
01a21083-eb1f-726d-879c-144c2c0ca58e	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-eb1e-7000-8027-63565a944407	01a21083-ea02-7000-8002-edbdfdca5f2d	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-25 02:23:30.59+00	2026-11-25 02:23:30.61+00
01a21083-eb1f-726e-bfda-a8ec51c7852e	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-eb1e-7000-8027-63565a944407	01a21083-ea0c-7000-8004-17ade1325c0e	f	f	DELIVERED	2	2	\N	\N	\N	2026-11-25 02:23:30.59+00	2026-11-25 02:23:33.907+00
01a21083-eb22-78ff-ac03-0d4d7ef2f2b1	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-eb22-7000-8029-1c5bf6a8d3cb	01a21083-ea02-7000-8002-edbdfdca5f2d	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-25 02:23:30.594+00	2026-11-25 02:23:30.614+00
01a21083-eb22-7901-94a9-45a4ad49ed86	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-eb22-7000-8029-1c5bf6a8d3cb	01a21083-ea0f-7000-8005-ac3ddf68747e	f	f	CANCELED	1	1	\N	\N	HTTP 503	2026-11-25 02:23:30.594+00	2026-11-25 02:23:33.936+00
01a21083-eb22-7916-ab7f-8fcfd3661eba	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-eb22-7000-802a-cede25fbf78e	01a21083-ea02-7000-8002-edbdfdca5f2d	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-25 02:23:30.594+00	2026-11-25 02:23:30.61+00
01a21083-eb22-7917-b988-b48e9bde8810	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-eb22-7000-802a-cede25fbf78e	01a21083-ea0c-7000-8004-17ade1325c0e	f	f	DELIVERED	2	2	\N	\N	\N	2026-11-25 02:23:30.594+00	2026-11-25 02:23:33.91+00
01a21083-eb37-7d94-987d-c224d23df152	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-eb37-7000-802b-b0198c689616	01a21083-ea02-7000-8002-edbdfdca5f2d	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-25 02:23:30.615+00	2026-11-25 02:23:30.622+00
01a21083-eb50-745e-b37d-f3ec1e1f6bdc	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-eb50-7000-8033-6faaa7cc8acf	01a21083-ea02-7000-8002-edbdfdca5f2d	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-25 02:23:30.64+00	2026-11-25 02:23:30.65+00
01a21083-eb5c-78ce-b036-d1632b4ca784	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-eb5b-7000-8034-8f81f5744d5e	01a21083-ea02-7000-8002-edbdfdca5f2d	f	t	DELIVERED	2	1	\N	\N	\N	2026-11-25 02:23:30.651+00	2026-11-25 02:23:34.3+00
01a21083-eb5c-78cf-9517-74d7911f9656	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-eb5b-7000-8034-8f81f5744d5e	01a21083-ea0a-7000-8003-d0ca907f7d23	f	f	RETRYING	1	1	2026-11-25 02:23:45.67+00	\N	HTTP 503	2026-11-25 02:23:30.651+00	2026-11-25 02:23:30.67+00
01a21083-eb5c-78d0-8e6c-60618a918ca7	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-eb5b-7000-8034-8f81f5744d5e	01a21083-ea0c-7000-8004-17ade1325c0e	f	f	DELIVERED	2	2	\N	\N	\N	2026-11-25 02:23:30.651+00	2026-11-25 02:23:33.91+00
01a21083-eb5c-78d1-bb92-2edc00cb95aa	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-eb5b-7000-8034-8f81f5744d5e	01a21083-ea14-7000-8007-6ca481f59875	f	f	HELD	0	0	\N	\N	\N	2026-11-25 02:23:30.651+00	2026-11-25 02:23:30.653+00
01a21083-eb7d-79e4-8226-13545772dd16	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-eb7d-7000-8037-1d5fd9163e3f	01a21083-ea02-7000-8002-edbdfdca5f2d	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-25 02:23:30.685+00	2026-11-25 02:23:30.698+00
01a21083-eb7d-79e5-952f-889f87b2d71e	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-eb7d-7000-8037-1d5fd9163e3f	01a21083-ea0f-7000-8005-ac3ddf68747e	f	f	CANCELED	1	1	\N	\N	HTTP 503	2026-11-25 02:23:30.685+00	2026-11-25 02:23:33.936+00
01a21083-eb7d-79f8-ac58-02e15d14dbf8	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-eb7d-7000-8038-2b1dfa6962f9	01a21083-ea02-7000-8002-edbdfdca5f2d	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-25 02:23:30.685+00	2026-11-25 02:23:30.695+00
01a21083-eb7d-79f9-b32a-24d5556f93e8	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-eb7d-7000-8038-2b1dfa6962f9	01a21083-ea0c-7000-8004-17ade1325c0e	f	f	DELIVERED	2	2	\N	\N	\N	2026-11-25 02:23:30.685+00	2026-11-25 02:23:33.91+00
01a21083-eb97-78bf-9f9d-4b57dfe753a5	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-eb97-78d3-8a1a-b390c219b13f	01a21083-ea11-7000-8006-b8054b83c5db	t	f	DELIVERED	1	1	\N	\N	\N	2026-11-25 02:23:30.711+00	2026-11-25 02:23:30.737+00
01a21083-ebad-78f2-8e3a-133527561487	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-ebad-7906-aef0-201163531837	01a21083-ea11-7000-8006-b8054b83c5db	t	f	DELIVERED	1	1	\N	\N	\N	2026-11-25 02:23:30.732+00	2026-11-25 02:23:30.764+00
01a21083-f791-76ed-9b60-dcd8af2ba9ba	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-f790-7000-8039-ae0c8745f178	01a21083-ea0c-7000-8004-17ade1325c0e	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-25 02:23:33.776+00	2026-11-25 02:23:33.898+00
01a21083-f795-7493-a2d0-68a63a4d77f1	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-f794-7000-803a-bf8312de8722	01a21083-ea0c-7000-8004-17ade1325c0e	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-25 02:23:33.78+00	2026-11-25 02:23:33.898+00
01a21083-f799-7a13-9ee0-0330cde694a9	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-f799-7000-803b-eb2881a578da	01a21083-ea0c-7000-8004-17ade1325c0e	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-25 02:23:33.785+00	2026-11-25 02:23:33.898+00
01a21083-f79f-793d-9e63-563373bfa1d4	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-f79f-7000-803c-41689e6872b9	01a21083-ea0c-7000-8004-17ade1325c0e	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-25 02:23:33.791+00	2026-11-25 02:23:33.898+00
01a21083-f7a3-73e7-beae-9908c9eb6d35	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-f7a2-7000-803d-845ac80b0ea5	01a21083-ea0c-7000-8004-17ade1325c0e	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-25 02:23:33.794+00	2026-11-25 02:23:33.888+00
01a21083-f7aa-71bd-b9ad-ea317b3ac5f9	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-f7a9-7000-803e-33e583f3d84b	01a21083-ea0a-7000-8003-d0ca907f7d23	f	f	RETRYING	1	1	2026-11-25 02:23:48.823+00	\N	HTTP 503	2026-11-25 02:23:33.801+00	2026-11-25 02:23:33.823+00
01a21083-f7ac-7e01-aded-15521ac3f86b	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-f7ac-7000-803f-d520894af750	01a21083-ea0a-7000-8003-d0ca907f7d23	f	f	RETRYING	1	1	2026-11-25 02:23:48.819+00	\N	HTTP 503	2026-11-25 02:23:33.804+00	2026-11-25 02:23:33.819+00
01a21083-f7af-728b-b35d-e686fad86bb5	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-f7af-7000-8040-7a0cd92347e2	01a21083-ea0a-7000-8003-d0ca907f7d23	f	f	RETRYING	1	1	2026-11-25 02:23:48.823+00	\N	HTTP 503	2026-11-25 02:23:33.807+00	2026-11-25 02:23:33.823+00
01a21083-f7b2-729f-9814-95dcbca64a32	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-f7b1-7000-8041-469fbcbe1551	01a21083-ea0a-7000-8003-d0ca907f7d23	f	f	RETRYING	1	1	2026-11-25 02:23:48.823+00	\N	HTTP 503	2026-11-25 02:23:33.809+00	2026-11-25 02:23:33.823+00
01a21083-f7b5-7014-8b5f-000ca6ffd396	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-f7b4-7000-8042-5d819bb163e8	01a21083-ea0a-7000-8003-d0ca907f7d23	f	f	RETRYING	1	0	2026-11-25 02:23:34.345+00	2026-11-25 02:23:34.345+00	HTTP 503	2026-11-25 02:23:33.812+00	2026-11-25 02:23:34.345+00
01a21083-f7bf-7547-b431-cb38e8e64e51	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-f7bf-755b-b593-7933c0e139b9	01a21083-ea11-7000-8006-b8054b83c5db	t	f	DELIVERED	1	1	\N	\N	\N	2026-11-25 02:23:33.823+00	2026-11-25 02:23:33.833+00
01a21083-f800-7b69-ac71-8da0ee1b9d67	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-f800-7b94-8f1e-15001aa7c6d0	01a21083-ea11-7000-8006-b8054b83c5db	t	f	DELIVERED	1	1	\N	\N	\N	2026-11-25 02:23:33.888+00	2026-11-25 02:23:33.905+00
01a21083-f810-787f-b023-71dc550e1fd2	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-f80f-7000-8043-44a6b6742d4c	01a21083-ea0c-7000-8004-17ade1325c0e	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-25 02:23:33.903+00	2026-11-25 02:23:33.917+00
01a21083-f831-7c80-9355-ac3fbe87b648	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-f831-7000-8044-24a167305962	01a21083-ea0a-7000-8003-d0ca907f7d23	f	f	FAILED	0	0	\N	\N	given up with webhook.delivery.cancel	2026-11-25 02:23:33.937+00	2026-11-25 02:23:33.945+00
01a21083-f83a-704f-9185-97f2420392d1	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-f83a-7064-998c-10afbcb4d45d	01a21083-ea11-7000-8006-b8054b83c5db	t	f	DELIVERED	1	1	\N	\N	\N	2026-11-25 02:23:33.943+00	2026-11-25 02:23:33.952+00
01a21083-f859-7762-a099-e96a2262bf7d	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-f858-7000-8045-6164cfab931f	01a21083-ea02-7000-8002-edbdfdca5f2d	f	f	DELIVERED	1	1	\N	\N	\N	2026-11-25 02:23:33.976+00	2026-11-25 02:23:33.988+00
01a21083-f9cf-7219-9bbe-b3d560863e16	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-f9ce-7000-8048-4a7dc2e5e4d5	01a21083-ea02-7000-8002-edbdfdca5f2d	f	f	PENDING	0	0	2026-11-25 02:23:34.351+00	\N	\N	2026-11-25 02:23:34.35+00	2026-11-25 02:23:34.351+00
01a21083-f9cf-7234-a699-2d0d3822f73f	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-f9ce-7000-8049-56ebaf525d04	01a21083-ea02-7000-8002-edbdfdca5f2d	f	f	PENDING	0	0	2026-11-25 02:23:34.351+00	\N	\N	2026-11-25 02:23:34.35+00	2026-11-25 02:23:34.351+00
01a21083-f9cf-7235-af9a-c6f1c4a4abeb	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-f9ce-7000-8049-56ebaf525d04	01a21083-ea0c-7000-8004-17ade1325c0e	f	f	PENDING	0	0	2026-11-25 02:23:34.351+00	\N	\N	2026-11-25 02:23:34.35+00	2026-11-25 02:23:34.351+00
01a21083-f9d2-7281-8700-ae941d485254	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-f9d1-7000-804a-ceae98612e93	01a21083-ea02-7000-8002-edbdfdca5f2d	f	f	PENDING	0	0	2026-11-25 02:23:34.354+00	\N	\N	2026-11-25 02:23:34.353+00	2026-11-25 02:23:34.354+00
01a21083-f9d2-7282-a6a4-b9972e0ad687	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-f9d1-7000-804a-ceae98612e93	01a21083-ea0a-7000-8003-d0ca907f7d23	f	f	PENDING	0	0	2026-11-25 02:23:34.354+00	\N	\N	2026-11-25 02:23:34.353+00	2026-11-25 02:23:34.354+00
01a21083-f9d2-7283-8a1f-bb3ee196a046	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-f9d1-7000-804a-ceae98612e93	01a21083-ea0c-7000-8004-17ade1325c0e	f	f	PENDING	0	0	2026-11-25 02:23:34.354+00	\N	\N	2026-11-25 02:23:34.353+00	2026-11-25 02:23:34.354+00
01a21083-f9d2-7284-89d1-dfa24a1536a9	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-f9d1-7000-804a-ceae98612e93	01a21083-ea14-7000-8007-6ca481f59875	f	f	HELD	0	0	\N	\N	\N	2026-11-25 02:23:34.353+00	2026-11-25 02:23:34.354+00
\.

COPY webhook_endpoint (id, account_id, url, url_key, event_types, description, rate_per_second, concurrency, status, disabled_reason, slot, created_at, updated_at, deleted_at, settle_at) FROM stdin;
01a21083-ea02-7000-8002-edbdfdca5f2d	01a21083-e81c-72af-9730-7b9659b9f990	http://127.0.0.1:41523/well	http://127.0.0.1:41523/well	\N	all events	500	5	ACTIVE	\N	1	2026-11-25 02:23:30.306+00	2026-11-25 02:23:30.306+00	\N	\N
01a21083-ea0a-7000-8003-d0ca907f7d23	01a21083-e81c-72af-9730-7b9659b9f990	http://127.0.0.1:41523/broken	http://127.0.0.1:41523/broken	{WORKFLOW_COMPLETED}	\N	\N	\N	ACTIVE	\N	2	2026-11-25 02:23:30.314+00	2026-11-25 02:23:30.314+00	\N	\N
01a21083-ea0c-7000-8004-17ade1325c0e	01a21083-e81c-72af-9730-7b9659b9f990	http://127.0.0.1:41523/recovered	http://127.0.0.1:41523/recovered	{WORKFLOW_COMPLETED,WORKFLOW_STARTED}	\N	\N	\N	ACTIVE	\N	3	2026-11-25 02:23:30.316+00	2026-11-25 02:23:30.316+00	\N	\N
01a21083-ea0f-7000-8005-ac3ddf68747e	01a21083-e81c-72af-9730-7b9659b9f990	http://127.0.0.1:41523/given-up	http://127.0.0.1:41523/given-up	{WORKFLOW_CREATED}	\N	\N	\N	ACTIVE	\N	\N	2026-11-25 02:23:30.319+00	2026-11-25 02:23:33.933+00	2026-11-25 02:23:33.933+00	\N
01a21083-ea11-7000-8006-b8054b83c5db	01a21083-e81c-72af-9730-7b9659b9f990	http://127.0.0.1:41523/notices	http://127.0.0.1:41523/notices	{WEBHOOK_ENDPOINT_FAILING,WEBHOOK_ENDPOINT_DISABLED,WEBHOOK_ENDPOINT_RECOVERED,WEBHOOK_DELIVERY_FAILED}	\N	\N	\N	ACTIVE	\N	5	2026-11-25 02:23:30.321+00	2026-11-25 02:23:30.321+00	\N	\N
01a21083-ea14-7000-8007-6ca481f59875	01a21083-e81c-72af-9730-7b9659b9f990	http://127.0.0.1:41523/disabled	http://127.0.0.1:41523/disabled	{WORKFLOW_COMPLETED}	\N	\N	\N	DISABLED	Disabled with webhook.config.update.	6	2026-11-25 02:23:30.324+00	2026-11-25 02:23:30.328+00	\N	\N
\.

COPY webhook_endpoint_health (endpoint_id, failures, failing_since, last_error, probe_at, probes, retry_after, recovered_at, epoch, successes_from, slow, told, told_since, opens_at, looks_at, wake_at, wake_lease) FROM stdin;
01a21083-ea02-7000-8002-edbdfdca5f2d	0	\N	\N	\N	0	\N	\N	0	0	f	\N	\N	2026-11-25 02:23:34.181536+00	\N	\N	\N
01a21083-ea0a-7000-8003-d0ca907f7d23	6	2026-11-25 02:23:30.661+00	HTTP 503	2026-11-25 02:23:38.180637+00	0	2026-11-25 02:23:48.823+00	\N	0	0	f	WEBHOOK_ENDPOINT_FAILING	2026-11-25 02:23:30.661+00	\N	2026-11-25 02:23:45.67+00	-infinity	\N
01a21083-ea0c-7000-8004-17ade1325c0e	0	\N	\N	\N	0	\N	2026-11-25 02:23:33.855+00	1	0	f	\N	\N	\N	\N	\N	\N
01a21083-ea0f-7000-8005-ac3ddf68747e	5	2026-11-25 02:23:30.399+00	HTTP 503	2026-11-25 02:23:35.89613+00	0	2026-11-25 02:23:45.732+00	\N	1	1	f	WEBHOOK_ENDPOINT_FAILING	2026-11-25 02:23:30.399+00	\N	2026-11-25 02:23:45.415+00	\N	\N
01a21083-ea11-7000-8006-b8054b83c5db	0	\N	\N	\N	0	\N	\N	0	0	f	\N	\N	\N	\N	\N	\N
01a21083-ea14-7000-8007-6ca481f59875	0	\N	\N	\N	0	\N	\N	1	1	f	WEBHOOK_ENDPOINT_DISABLED	2026-11-25 02:23:30.328+00	\N	\N	\N	\N
\.

COPY webhook_event (id, account_id, event_type, occurred_at, workflow_id, sequence, user_id, user_type, fields, test, erased, traceparent) FROM stdin;
01a21083-e9f1-7000-8001-6d5fbc5899f5	01a21083-e81c-72af-9730-7b9659b9f990	WEBHOOK_KEY_ACTIVATED	2026-11-25 02:23:30.289+00	\N	0	back office	API_KEY	{"key_id": "whk_20261125_01"}	f	f	00-9b9cec271e87f59fb3ac05f39741cb6f-bb87bb02e1cc942b-00
01a21083-ea19-7b7f-b2e0-3b96d98bd774	01a21083-e81c-72af-9730-7b9659b9f990	WEBHOOK_ENDPOINT_DISABLED	2026-11-25 02:23:30.328+00	\N	0	back office	API_KEY	{"since": "2026-11-25T02:23:30.328Z", "waiting": 0, "url_host": "127.0.0.1:41523", "config_id": "whc_353TKGcZub1u7WAvMp457", "last_error": null, "disabled_reason": "Disabled with webhook.config.update."}	f	f	00-6123288a75854c3e59ac1f2231a9ba88-8f89d2bbc3bb43b1-00
01a21083-ea54-7000-8011-0b6c407fb022	01a21083-e81c-72af-9730-7b9659b9f990	WORKFLOW_CREATED	2026-11-25 02:23:30.388+00	01a21083-ea54-7000-8010-9fc9524b4563	1	back office	API_KEY	{"state": "CREATED"}	f	f	00-fabc7f19a1ccd1e4d2c4927761fe37c2-9d59a0bb9d2ff0c7-00
01a21083-ea54-7000-8012-fdbab5b0a746	01a21083-e81c-72af-9730-7b9659b9f990	WORKFLOW_STARTED	2026-11-25 02:23:30.388+00	01a21083-ea54-7000-8010-9fc9524b4563	2	back office	API_KEY	{"state": "STARTED"}	f	f	00-fabc7f19a1ccd1e4d2c4927761fe37c2-9d59a0bb9d2ff0c7-00
01a21083-ea6e-7000-8013-0fb02a9c8a7a	01a21083-e81c-72af-9730-7b9659b9f990	WORKFLOW_PRICING_CALCULATED	2026-11-25 02:23:30.414+00	01a21083-ea54-7000-8010-9fc9524b4563	3	back office	API_KEY	{"evaluation_score": 600.375}	f	f	00-28085ea1aef4180a9109ab90836d9200-e2cb6d3cc1d1c60a-00
01a21083-ea90-7000-801c-b3958e390de9	01a21083-e81c-72af-9730-7b9659b9f990	REQUIRED_DOCUMENTS_CALCULATED	2026-11-25 02:23:30.448+00	01a21083-ea54-7000-8010-9fc9524b4563	4	back office	API_KEY	{"kept": [], "added": [{"status": "PENDING", "entity_id": "b_353TKGgxshmzFe69RuG8n", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_353TKGofL4g5cHEK3ZxRC"}, {"status": "PENDING", "entity_id": "b_353TKGgxshmzFe69RuG8n", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_353TKGofL4g5e09YIvil4"}, {"status": "PENDING", "entity_id": "b_353TKGgxshmzFe69RuG8n", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_353TKGofL4g5eV0Gfw6Bi"}, {"status": "PENDING", "entity_id": "b_353TKGgxshmzFe69RuG8n", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_353TKGofL4g5fcI24tLfx"}, {"status": "PENDING", "entity_id": "w_353TKGioiGKe6VSTrr23P", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_353TKGofL4g5hUqjCZMi7"}, {"status": "PENDING", "entity_id": "b_353TKGgxshmzFe69RuG8n", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_353TKGofL4g5ivO4h83O6"}, {"status": "PENDING", "entity_id": "p_353TKGgxshmzH8PXTZmMW", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_353TKGofL4g5jgfXFpRge"}, {"status": "PENDING", "entity_id": "p_353TKGgxshmzIC4oCwiPi", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_353TKGofL4g5lcdxHmqia"}], "removed": [], "restored": []}	f	f	00-3560c1b251925b8624804eff70b4e9f4-27ad30db31e6ac54-00
01a21083-eaa3-7000-801d-b5c0b9068487	01a21083-e81c-72af-9730-7b9659b9f990	REQUIRED_DOCUMENT_UPDATED	2026-11-25 02:23:30.467+00	01a21083-ea54-7000-8010-9fc9524b4563	5	back office	API_KEY	{"status": "NEEDS_REVIEW", "previous_status": "PENDING", "document_type_code": "REGISTRATION", "required_document_id": "rd_353TKGofL4g5cHEK3ZxRC"}	f	f	00-a54c61bbb0bcf58cd2e54a10e0b2676c-1444b1b4fa08117a-00
01a21083-eaab-7000-801e-7cb3ac70f179	01a21083-e81c-72af-9730-7b9659b9f990	REQUIRED_DOCUMENT_UPDATED	2026-11-25 02:23:30.475+00	01a21083-ea54-7000-8010-9fc9524b4563	6	back office	API_KEY	{"status": "NEEDS_REVIEW", "previous_status": "PENDING", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_353TKGofL4g5e09YIvil4"}	f	f	00-1e7eb034adaf92173e1f9e49c77b9c0b-79ed34dcb5647492-00
01a21083-eabd-7000-801f-1b4336009d59	01a21083-e81c-72af-9730-7b9659b9f990	REQUIRED_DOCUMENT_UPDATED	2026-11-25 02:23:30.493+00	01a21083-ea54-7000-8010-9fc9524b4563	7	back office	API_KEY	{"status": "COMPLETED", "previous_status": "NEEDS_REVIEW", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_353TKGofL4g5e09YIvil4"}	f	f	00-faa23e5b138032c3b5b278f226fce158-e6f18b9645e7194e-00
01a21083-eac8-7000-8020-282f1b65aa98	01a21083-e81c-72af-9730-7b9659b9f990	REQUIRED_DOCUMENT_UPDATED	2026-11-25 02:23:30.504+00	01a21083-ea54-7000-8010-9fc9524b4563	8	back office	API_KEY	{"status": "NEEDS_REVIEW", "previous_status": "PENDING", "document_type_code": "PASSPORT", "required_document_id": "rd_353TKGofL4g5lcdxHmqia"}	f	f	00-2336edb18f96ca30f2ec7812deccf4c7-b7fa2b0818765e9e-00
01a21083-eafc-7000-8021-d922080cefa2	01a21083-e81c-72af-9730-7b9659b9f990	WORKFLOW_PRICING_CALCULATED	2026-11-25 02:23:30.556+00	01a21083-ea54-7000-8010-9fc9524b4563	9	back office	API_KEY	{"evaluation_score": 600.375}	f	f	00-807f5210c3b4957ff4db165937097a00-2a9c13a79a474bf5-00
01a21083-eb13-7000-8022-379e7bd5cfb2	01a21083-e81c-72af-9730-7b9659b9f990	REQUIRED_DOCUMENTS_CALCULATED	2026-11-25 02:23:30.579+00	01a21083-ea54-7000-8010-9fc9524b4563	10	back office	API_KEY	{"kept": [{"status": "NEEDS_REVIEW", "entity_id": "b_353TKGgxshmzFe69RuG8n", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_353TKGofL4g5cHEK3ZxRC"}, {"status": "COMPLETED", "entity_id": "b_353TKGgxshmzFe69RuG8n", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_353TKGofL4g5e09YIvil4"}, {"status": "PENDING", "entity_id": "b_353TKGgxshmzFe69RuG8n", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_353TKGofL4g5eV0Gfw6Bi"}, {"status": "PENDING", "entity_id": "b_353TKGgxshmzFe69RuG8n", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_353TKGofL4g5fcI24tLfx"}, {"status": "PENDING", "entity_id": "w_353TKGioiGKe6VSTrr23P", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_353TKGofL4g5hUqjCZMi7"}, {"status": "PENDING", "entity_id": "b_353TKGgxshmzFe69RuG8n", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_353TKGofL4g5ivO4h83O6"}, {"status": "PENDING", "entity_id": "p_353TKGgxshmzH8PXTZmMW", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_353TKGofL4g5jgfXFpRge"}], "added": [], "removed": [{"status": "INACTIVE", "entity_id": "p_353TKGgxshmzIC4oCwiPi", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_353TKGofL4g5lcdxHmqia"}], "restored": []}	f	f	00-3efa3e01852ebb527dc3a3b53f031e45-c806fb83b9e08e2a-00
01a21083-eb18-7000-8024-0e59c0cffefa	01a21083-e81c-72af-9730-7b9659b9f990	WORKFLOW_CREATED	2026-11-25 02:23:30.584+00	01a21083-eb18-7000-8023-e9e1f0b4288f	1	back office	API_KEY	{"state": "CREATED"}	f	f	00-b84093d2e0d5d74358500ada4d66f109-b92383dbdc0720ec-00
01a21083-eb1e-7000-8026-ff3eb9ad34d2	01a21083-e81c-72af-9730-7b9659b9f990	WORKFLOW_CREATED	2026-11-25 02:23:30.59+00	01a21083-eb1e-7000-8025-9cf0a2ea903d	1	back office	API_KEY	{"state": "CREATED"}	f	f	00-dcd676928703e895818b741089175f46-dc4bc280a20df62f-00
01a21083-eb1e-7000-8027-63565a944407	01a21083-e81c-72af-9730-7b9659b9f990	WORKFLOW_STARTED	2026-11-25 02:23:30.59+00	01a21083-eb1e-7000-8025-9cf0a2ea903d	2	back office	API_KEY	{"state": "STARTED"}	f	f	00-dcd676928703e895818b741089175f46-dc4bc280a20df62f-00
01a21083-eb22-7000-8029-1c5bf6a8d3cb	01a21083-e81c-72af-9730-7b9659b9f990	WORKFLOW_CREATED	2026-11-25 02:23:30.594+00	01a21083-eb22-7000-8028-e3868c7869b7	1	back office	API_KEY	{"state": "CREATED"}	f	f	00-1e4162323c08d890e691f13fbfaa6126-c50fc3f019b26fe6-00
01a21083-eb22-7000-802a-cede25fbf78e	01a21083-e81c-72af-9730-7b9659b9f990	WORKFLOW_STARTED	2026-11-25 02:23:30.594+00	01a21083-eb22-7000-8028-e3868c7869b7	2	back office	API_KEY	{"state": "STARTED"}	f	f	00-1e4162323c08d890e691f13fbfaa6126-c50fc3f019b26fe6-00
01a21083-eb37-7000-802b-b0198c689616	01a21083-e81c-72af-9730-7b9659b9f990	WORKFLOW_PRICING_CALCULATED	2026-11-25 02:23:30.615+00	01a21083-eb22-7000-8028-e3868c7869b7	3	back office	API_KEY	{"evaluation_score": 600.375}	f	f	00-1cb6dcf92a3c5264ad40db2e2c7a2deb-570dca063de1c216-00
01a21083-eb50-7000-8033-6faaa7cc8acf	01a21083-e81c-72af-9730-7b9659b9f990	REQUIRED_DOCUMENTS_CALCULATED	2026-11-25 02:23:30.64+00	01a21083-eb22-7000-8028-e3868c7869b7	4	back office	API_KEY	{"kept": [], "added": [{"status": "PENDING", "entity_id": "b_353TKGgxshmzFe69RuG8n", "entity_type": "Business", "document_type_code": "REGISTRATION", "required_document_id": "rd_353TKH7Nk4aJUvdQ0AUpJ"}, {"status": "PENDING", "entity_id": "b_353TKGgxshmzFe69RuG8n", "entity_type": "Business", "document_type_code": "BANK_STATEMENTS", "required_document_id": "rd_353TKH7Nk4aJVZtr1wzWJ"}, {"status": "PENDING", "entity_id": "b_353TKGgxshmzFe69RuG8n", "entity_type": "Business", "document_type_code": "YEARLY_ACCOUNTS", "required_document_id": "rd_353TKH7Nk4aJXIIlQNf7j"}, {"status": "PENDING", "entity_id": "b_353TKGgxshmzFe69RuG8n", "entity_type": "Business", "document_type_code": "PRICE_LIST", "required_document_id": "rd_353TKH7Nk4aJYIGIU7qsU"}, {"status": "PENDING", "entity_id": "w_353TKH2tjFaPFjRvxBAL1", "entity_type": "Workflow", "document_type_code": "REVIEW", "required_document_id": "rd_353TKH7Nk4aJZw217ZzH3"}, {"status": "PENDING", "entity_id": "b_353TKGgxshmzFe69RuG8n", "entity_type": "Business", "document_type_code": "OWNERSHIP_CHART", "required_document_id": "rd_353TKH7Nk4aJaLKVXFaoZ"}, {"status": "PENDING", "entity_id": "p_353TKGgxshmzH8PXTZmMW", "entity_type": "Person", "document_type_code": "PASSPORT", "required_document_id": "rd_353TKH7Nk4aJboyKP0ZYx"}], "removed": [], "restored": []}	f	f	00-d77f0fd7dd2f122430549399ad718424-6cd7ac12e4324333-00
01a21083-eb5b-7000-8034-8f81f5744d5e	01a21083-e81c-72af-9730-7b9659b9f990	WORKFLOW_COMPLETED	2026-11-25 02:23:30.651+00	01a21083-eb22-7000-8028-e3868c7869b7	5	back office	API_KEY	{"state": "ENDED"}	f	f	00-ec04c015971867f8dd644a0183f1eeff-2ed41d780f6c704b-00
01a21083-eb7d-7000-8037-1d5fd9163e3f	01a21083-e81c-72af-9730-7b9659b9f990	WORKFLOW_CREATED	2026-11-25 02:23:30.685+00	01a21083-eb7d-7000-8036-766b6bd33193	1	back office	API_KEY	{"state": "CREATED"}	f	t	00-8f8646858473593d0311a921f7ae7bae-52f8ab96ff4e8121-00
01a21083-eb7d-7000-8038-2b1dfa6962f9	01a21083-e81c-72af-9730-7b9659b9f990	WORKFLOW_STARTED	2026-11-25 02:23:30.685+00	01a21083-eb7d-7000-8036-766b6bd33193	2	back office	API_KEY	{"state": "STARTED"}	f	t	00-8f8646858473593d0311a921f7ae7bae-52f8ab96ff4e8121-00
01a21083-eb97-78d3-8a1a-b390c219b13f	01a21083-e81c-72af-9730-7b9659b9f990	WEBHOOK_ENDPOINT_FAILING	2026-11-25 02:23:30.711+00	\N	0	SYSTEM	SYSTEM	{"since": "2026-11-25T02:23:30.399Z", "waiting": 5, "url_host": "127.0.0.1:41523", "config_id": "whc_353TKGbnYt7JKKcRUXLBO", "last_error": "the connection was closed before the whole answer had come"}	f	f	00-8f8646858473593d0311a921f7ae7bae-52f8ab96ff4e8121-00
01a21083-ebad-7906-aef0-201163531837	01a21083-e81c-72af-9730-7b9659b9f990	WEBHOOK_ENDPOINT_FAILING	2026-11-25 02:23:30.732+00	\N	0	SYSTEM	SYSTEM	{"since": "2026-11-25T02:23:30.399Z", "waiting": 5, "url_host": "127.0.0.1:41523", "config_id": "whc_353TKGc5h1pmdCeED85Es", "last_error": "HTTP 503"}	f	f	00-8f8646858473593d0311a921f7ae7bae-52f8ab96ff4e8121-00
01a21083-f790-7000-8039-ae0c8745f178	01a21083-e81c-72af-9730-7b9659b9f990	WEBHOOK_TEST	2026-11-25 02:23:33.776+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_353TKGbnYt7JKKcRUXLBO"}	t	f	00-530f29139f8995dab335a8bcd2e16da2-8325ccd7f59e1aa1-00
01a21083-f794-7000-803a-bf8312de8722	01a21083-e81c-72af-9730-7b9659b9f990	WEBHOOK_TEST	2026-11-25 02:23:33.78+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_353TKGbnYt7JKKcRUXLBO"}	t	f	00-eae086bd3622e9335a81d630a6adb3c8-bad4595a30884bf7-00
01a21083-f799-7000-803b-eb2881a578da	01a21083-e81c-72af-9730-7b9659b9f990	WEBHOOK_TEST	2026-11-25 02:23:33.785+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_353TKGbnYt7JKKcRUXLBO"}	t	f	00-a066a57d88add8962c55994cc463fb96-cc9bd0c908a52e05-00
01a21083-f79f-7000-803c-41689e6872b9	01a21083-e81c-72af-9730-7b9659b9f990	WEBHOOK_TEST	2026-11-25 02:23:33.791+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_353TKGbnYt7JKKcRUXLBO"}	t	f	00-1527e878f60c7002a18ba488addd66a8-5c9dcfe6c8e641c7-00
01a21083-f7a2-7000-803d-845ac80b0ea5	01a21083-e81c-72af-9730-7b9659b9f990	WEBHOOK_TEST	2026-11-25 02:23:33.794+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_353TKGbnYt7JKKcRUXLBO"}	t	f	00-ef6bc9fbae9f665725927ba9a2252d78-663513e1f36313c7-00
01a21083-f7a9-7000-803e-33e583f3d84b	01a21083-e81c-72af-9730-7b9659b9f990	WEBHOOK_TEST	2026-11-25 02:23:33.801+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_353TKGbbTSdf8kfv9aw2l"}	t	f	00-66c6a277c2eb8f1e78488bfec2846efe-1b6d0e580fcf92b7-00
01a21083-f7ac-7000-803f-d520894af750	01a21083-e81c-72af-9730-7b9659b9f990	WEBHOOK_TEST	2026-11-25 02:23:33.804+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_353TKGbbTSdf8kfv9aw2l"}	t	f	00-634e86458a8b2da016e992f7b29bb765-f218038c0c766de8-00
01a21083-f7af-7000-8040-7a0cd92347e2	01a21083-e81c-72af-9730-7b9659b9f990	WEBHOOK_TEST	2026-11-25 02:23:33.807+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_353TKGbbTSdf8kfv9aw2l"}	t	f	00-855efa51544c79763e140b7dd31ed049-49918fcbdb23a612-00
01a21083-f7b1-7000-8041-469fbcbe1551	01a21083-e81c-72af-9730-7b9659b9f990	WEBHOOK_TEST	2026-11-25 02:23:33.809+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_353TKGbbTSdf8kfv9aw2l"}	t	f	00-bc96e0976dc0a176c6e7319b1a798ada-05e18e6bb0329aa1-00
01a21083-f7b4-7000-8042-5d819bb163e8	01a21083-e81c-72af-9730-7b9659b9f990	WEBHOOK_TEST	2026-11-25 02:23:33.812+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_353TKGbbTSdf8kfv9aw2l"}	t	f	00-5af485235872d8fd42d8f187782e9a8f-02e47ca721b33fe4-00
01a21083-f7bf-755b-b593-7933c0e139b9	01a21083-e81c-72af-9730-7b9659b9f990	WEBHOOK_ENDPOINT_FAILING	2026-11-25 02:23:33.823+00	\N	0	SYSTEM	SYSTEM	{"since": "2026-11-25T02:23:30.661Z", "waiting": 6, "url_host": "127.0.0.1:41523", "config_id": "whc_353TKGbbTSdf8kfv9aw2l", "last_error": "HTTP 503"}	f	f	00-bc96e0976dc0a176c6e7319b1a798ada-05e18e6bb0329aa1-00
01a21083-f800-7b94-8f1e-15001aa7c6d0	01a21083-e81c-72af-9730-7b9659b9f990	WEBHOOK_ENDPOINT_RECOVERED	2026-11-25 02:23:33.888+00	\N	0	SYSTEM	SYSTEM	{"since": "2026-11-25T02:23:30.399Z", "waiting": 9, "url_host": "127.0.0.1:41523", "config_id": "whc_353TKGbnYt7JKKcRUXLBO", "last_error": null}	f	f	00-ef6bc9fbae9f665725927ba9a2252d78-663513e1f36313c7-00
01a21083-f80f-7000-8043-44a6b6742d4c	01a21083-e81c-72af-9730-7b9659b9f990	WEBHOOK_TEST	2026-11-25 02:23:33.903+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_353TKGbnYt7JKKcRUXLBO"}	t	f	00-f673ef744dbecf7ba2e9bce592cf0e42-74bdc1ed21b8b371-00
01a21083-f831-7000-8044-24a167305962	01a21083-e81c-72af-9730-7b9659b9f990	WEBHOOK_TEST	2026-11-25 02:23:33.937+00	\N	0	back office	API_KEY	{"test": true, "config_id": "whc_353TKGbbTSdf8kfv9aw2l"}	t	f	00-a5a1da933bdac3526ef43de5c7d59db6-26523b0e6c7c999d-00
01a21083-f83a-7064-998c-10afbcb4d45d	01a21083-e81c-72af-9730-7b9659b9f990	WEBHOOK_DELIVERY_FAILED	2026-11-25 02:23:33.943+00	\N	0	back office	API_KEY	{"event_id": "wh_353TKMIm2atBNia6efOtu", "config_id": "whc_353TKGbbTSdf8kfv9aw2l", "last_error": "given up with webhook.delivery.cancel", "delivery_id": "whd_353TKMImKtInGBah1cNnE", "attempt_count": 0}	f	f	00-b726702a9f88c7ed66ddabb8739fc81e-fe90c8324a483cf5-00
01a21083-f858-7000-8045-6164cfab931f	01a21083-e81c-72af-9730-7b9659b9f990	WEBHOOK_KEY_ACTIVATED	2026-11-25 02:23:33.976+00	\N	0	back office	API_KEY	{"key_id": "whk_20261125_02"}	f	f	00-a8aecc4c89ec4662bb142a8ee4040de9-a367eae2c9e16e41-00
01a21083-f9ce-7000-8048-4a7dc2e5e4d5	01a21083-e81c-72af-9730-7b9659b9f990	WORKFLOW_CREATED	2026-11-25 02:23:34.35+00	01a21083-f9ce-7000-8047-76a2f17813fb	1	back office	API_KEY	{"state": "CREATED"}	f	f	00-a05cb98ff1dfd35dd169ee36e27e2747-c0f9b6b526e5c08b-00
01a21083-f9ce-7000-8049-56ebaf525d04	01a21083-e81c-72af-9730-7b9659b9f990	WORKFLOW_STARTED	2026-11-25 02:23:34.35+00	01a21083-f9ce-7000-8047-76a2f17813fb	2	back office	API_KEY	{"state": "STARTED"}	f	f	00-a05cb98ff1dfd35dd169ee36e27e2747-c0f9b6b526e5c08b-00
01a21083-f9d1-7000-804a-ceae98612e93	01a21083-e81c-72af-9730-7b9659b9f990	WORKFLOW_COMPLETED	2026-11-25 02:23:34.353+00	01a21083-f9ce-7000-8047-76a2f17813fb	3	back office	API_KEY	{"state": "ENDED"}	f	f	00-713760e85f85621c63536a4c1fbf390c-6ce8e72dc0118021-00
\.

COPY webhook_event_position (event_id, account_id, written, position, batch) FROM stdin;
01a21083-e9f1-7000-8001-6d5fbc5899f5	01a21083-e81c-72af-9730-7b9659b9f990	1	1	64746a61-797b-49a6-856c-4f54733ce557
01a21083-ea19-7b7f-b2e0-3b96d98bd774	01a21083-e81c-72af-9730-7b9659b9f990	2	2	64746a61-797b-49a6-856c-4f54733ce557
01a21083-ea54-7000-8011-0b6c407fb022	01a21083-e81c-72af-9730-7b9659b9f990	3	3	64746a61-797b-49a6-856c-4f54733ce557
01a21083-ea54-7000-8012-fdbab5b0a746	01a21083-e81c-72af-9730-7b9659b9f990	4	4	64746a61-797b-49a6-856c-4f54733ce557
01a21083-ea6e-7000-8013-0fb02a9c8a7a	01a21083-e81c-72af-9730-7b9659b9f990	5	5	64746a61-797b-49a6-856c-4f54733ce557
01a21083-ea90-7000-801c-b3958e390de9	01a21083-e81c-72af-9730-7b9659b9f990	6	6	64746a61-797b-49a6-856c-4f54733ce557
01a21083-eaa3-7000-801d-b5c0b9068487	01a21083-e81c-72af-9730-7b9659b9f990	7	7	64746a61-797b-49a6-856c-4f54733ce557
01a21083-eaab-7000-801e-7cb3ac70f179	01a21083-e81c-72af-9730-7b9659b9f990	8	8	64746a61-797b-49a6-856c-4f54733ce557
01a21083-eabd-7000-801f-1b4336009d59	01a21083-e81c-72af-9730-7b9659b9f990	9	9	64746a61-797b-49a6-856c-4f54733ce557
01a21083-eac8-7000-8020-282f1b65aa98	01a21083-e81c-72af-9730-7b9659b9f990	10	10	64746a61-797b-49a6-856c-4f54733ce557
01a21083-eafc-7000-8021-d922080cefa2	01a21083-e81c-72af-9730-7b9659b9f990	11	11	64746a61-797b-49a6-856c-4f54733ce557
01a21083-eb13-7000-8022-379e7bd5cfb2	01a21083-e81c-72af-9730-7b9659b9f990	12	12	64746a61-797b-49a6-856c-4f54733ce557
01a21083-eb18-7000-8024-0e59c0cffefa	01a21083-e81c-72af-9730-7b9659b9f990	13	13	64746a61-797b-49a6-856c-4f54733ce557
01a21083-eb1e-7000-8026-ff3eb9ad34d2	01a21083-e81c-72af-9730-7b9659b9f990	14	14	64746a61-797b-49a6-856c-4f54733ce557
01a21083-eb1e-7000-8027-63565a944407	01a21083-e81c-72af-9730-7b9659b9f990	15	15	64746a61-797b-49a6-856c-4f54733ce557
01a21083-eb22-7000-8029-1c5bf6a8d3cb	01a21083-e81c-72af-9730-7b9659b9f990	16	16	64746a61-797b-49a6-856c-4f54733ce557
01a21083-eb22-7000-802a-cede25fbf78e	01a21083-e81c-72af-9730-7b9659b9f990	17	17	64746a61-797b-49a6-856c-4f54733ce557
01a21083-eb37-7000-802b-b0198c689616	01a21083-e81c-72af-9730-7b9659b9f990	18	18	64746a61-797b-49a6-856c-4f54733ce557
01a21083-eb50-7000-8033-6faaa7cc8acf	01a21083-e81c-72af-9730-7b9659b9f990	19	19	64746a61-797b-49a6-856c-4f54733ce557
01a21083-eb5b-7000-8034-8f81f5744d5e	01a21083-e81c-72af-9730-7b9659b9f990	20	20	64746a61-797b-49a6-856c-4f54733ce557
01a21083-eb7d-7000-8037-1d5fd9163e3f	01a21083-e81c-72af-9730-7b9659b9f990	21	21	64746a61-797b-49a6-856c-4f54733ce557
01a21083-eb7d-7000-8038-2b1dfa6962f9	01a21083-e81c-72af-9730-7b9659b9f990	22	22	64746a61-797b-49a6-856c-4f54733ce557
01a21083-eb97-78d3-8a1a-b390c219b13f	01a21083-e81c-72af-9730-7b9659b9f990	23	23	64746a61-797b-49a6-856c-4f54733ce557
01a21083-ebad-7906-aef0-201163531837	01a21083-e81c-72af-9730-7b9659b9f990	24	24	64746a61-797b-49a6-856c-4f54733ce557
01a21083-f790-7000-8039-ae0c8745f178	01a21083-e81c-72af-9730-7b9659b9f990	25	25	64746a61-797b-49a6-856c-4f54733ce557
01a21083-f794-7000-803a-bf8312de8722	01a21083-e81c-72af-9730-7b9659b9f990	26	26	64746a61-797b-49a6-856c-4f54733ce557
01a21083-f799-7000-803b-eb2881a578da	01a21083-e81c-72af-9730-7b9659b9f990	27	27	64746a61-797b-49a6-856c-4f54733ce557
01a21083-f79f-7000-803c-41689e6872b9	01a21083-e81c-72af-9730-7b9659b9f990	28	28	64746a61-797b-49a6-856c-4f54733ce557
01a21083-f7a2-7000-803d-845ac80b0ea5	01a21083-e81c-72af-9730-7b9659b9f990	29	29	64746a61-797b-49a6-856c-4f54733ce557
01a21083-f7a9-7000-803e-33e583f3d84b	01a21083-e81c-72af-9730-7b9659b9f990	30	30	64746a61-797b-49a6-856c-4f54733ce557
01a21083-f7ac-7000-803f-d520894af750	01a21083-e81c-72af-9730-7b9659b9f990	31	31	64746a61-797b-49a6-856c-4f54733ce557
01a21083-f7af-7000-8040-7a0cd92347e2	01a21083-e81c-72af-9730-7b9659b9f990	32	32	64746a61-797b-49a6-856c-4f54733ce557
01a21083-f7b1-7000-8041-469fbcbe1551	01a21083-e81c-72af-9730-7b9659b9f990	33	33	64746a61-797b-49a6-856c-4f54733ce557
01a21083-f7b4-7000-8042-5d819bb163e8	01a21083-e81c-72af-9730-7b9659b9f990	34	34	64746a61-797b-49a6-856c-4f54733ce557
01a21083-f7bf-755b-b593-7933c0e139b9	01a21083-e81c-72af-9730-7b9659b9f990	35	35	64746a61-797b-49a6-856c-4f54733ce557
01a21083-f800-7b94-8f1e-15001aa7c6d0	01a21083-e81c-72af-9730-7b9659b9f990	36	36	64746a61-797b-49a6-856c-4f54733ce557
01a21083-f80f-7000-8043-44a6b6742d4c	01a21083-e81c-72af-9730-7b9659b9f990	37	37	64746a61-797b-49a6-856c-4f54733ce557
01a21083-f831-7000-8044-24a167305962	01a21083-e81c-72af-9730-7b9659b9f990	38	38	64746a61-797b-49a6-856c-4f54733ce557
01a21083-f83a-7064-998c-10afbcb4d45d	01a21083-e81c-72af-9730-7b9659b9f990	39	39	64746a61-797b-49a6-856c-4f54733ce557
01a21083-f858-7000-8045-6164cfab931f	01a21083-e81c-72af-9730-7b9659b9f990	40	40	64746a61-797b-49a6-856c-4f54733ce557
01a21083-f9ce-7000-8048-4a7dc2e5e4d5	01a21083-e81c-72af-9730-7b9659b9f990	41	41	64746a61-797b-49a6-856c-4f54733ce557
01a21083-f9ce-7000-8049-56ebaf525d04	01a21083-e81c-72af-9730-7b9659b9f990	42	42	64746a61-797b-49a6-856c-4f54733ce557
01a21083-f9d1-7000-804a-ceae98612e93	01a21083-e81c-72af-9730-7b9659b9f990	43	43	64746a61-797b-49a6-856c-4f54733ce557
\.

COPY webhook_feed (account_id, last_position) FROM stdin;
01a21083-e81c-72af-9730-7b9659b9f990	43
\.

COPY webhook_key (account_id, key_id, day, iteration, status, secret_sealed, created_at, revealed_at, activated_at, deleted_at) FROM stdin;
01a21083-e81c-72af-9730-7b9659b9f990	whk_20261125_01	2026-11-25	1	DELETED	\\x012fd8780ff0bc1e9ef5f93148f5dac6699428136fd1ec8651cb1d95f4e1e56801fb4fb5a70fb3a042fef2398e9433a5aaecd601e907824d37455671e35eb0ee0df3320675fdc320581f3a130b	2026-11-25 02:23:30.259+00	2026-11-25 02:23:30.273+00	2026-11-25 02:23:30.289+00	2026-11-25 02:23:33.976+00
01a21083-e81c-72af-9730-7b9659b9f990	whk_20261125_02	2026-11-25	2	ACTIVE	\\x012fd8780f4a4cabc231de183d377837d66e311f805fc6d366ddced648b3aa04d48c6739592a1565ed13c5a6381e25325e81f8618906c28239f392d0d70dfa8f549276a90c11450907586bbf29	2026-11-25 02:23:33.954+00	2026-11-25 02:23:33.962+00	2026-11-25 02:23:33.976+00	\N
01a21083-e81c-72af-9730-7b9659b9f990	whk_20261125_03	2026-11-25	3	INACTIVE	\\x012fd8780fee67c0a9f5b21c184cdd6862058eabdfac1e31826323d8a9e5d2ae735bb6d85d9e292c725a4649d01fec62bf054caffacedbabf20fbdf79ec2f17bf129d471930a1b0ee8799d4770	2026-11-25 02:23:33.989+00	2026-11-25 02:23:33.999+00	\N	\N
\.

COPY webhook_ready (endpoint_id, account_id, session_at) FROM stdin;
01a21083-ea02-7000-8002-edbdfdca5f2d	01a21083-e81c-72af-9730-7b9659b9f990	2026-11-25 02:23:34.288+00
01a21083-ea0a-7000-8003-d0ca907f7d23	01a21083-e81c-72af-9730-7b9659b9f990	-infinity
01a21083-ea0c-7000-8004-17ade1325c0e	01a21083-e81c-72af-9730-7b9659b9f990	-infinity
\.

COPY webhook_replay (id, account_id, endpoint_id, since, until, event_types, state, looked_at, counted, done, total, traceparent, started_at, ended_at, lease) FROM stdin;
01a21083-f872-7000-8046-ca352f9ea37c	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-ea02-7000-8002-edbdfdca5f2d	2026-01-01 00:00:00+00	2026-11-25 02:23:34.003+00	{WORKFLOW_COMPLETED}	COMPLETED	01a21083-f858-7000-8045-6164cfab931f	t	1	1	00-c7337572052d4b8dd66278b493f5ee06-fc02a740089e2a00-00	2026-11-25 02:23:34.002+00	2026-11-25 02:23:34.242+00	2026-11-25 02:28:34.242+00
\.

COPY workflow (id, account_id, business_id, state, evaluation_score, score_calculated_at, score_facts, version, documents_calculated_at, documents_workflow_version, documents_business_version, documents_rule_set_id, event_sequence, created_at, started_at, ended_at, updated_at) FROM stdin;
01a21083-ea54-7000-8010-9fc9524b4563	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-ea41-7000-800a-3a9f924cffb1	STARTED	600.375000	2026-11-25 02:23:30.556+00	19f05556ff5c7b82132f458475119453abccd965b6212f320570453ce362f9e4	3	2026-11-25 02:23:30.579+00	3	2	01a21083-ea3c-7000-8009-6a8dbc7e984d	10	2026-11-25 02:23:30.388+00	2026-11-25 02:23:30.388+00	\N	2026-11-25 02:23:30.556+00
01a21083-eb18-7000-8023-e9e1f0b4288f	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-ea41-7000-800a-3a9f924cffb1	CREATED	\N	\N	\N	1	\N	\N	\N	\N	1	2026-11-25 02:23:30.584+00	\N	\N	2026-11-25 02:23:30.584+00
01a21083-eb1e-7000-8025-9cf0a2ea903d	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-ea4e-7000-800e-5fe381296485	STARTED	\N	\N	\N	1	\N	\N	\N	\N	2	2026-11-25 02:23:30.59+00	2026-11-25 02:23:30.59+00	\N	2026-11-25 02:23:30.59+00
01a21083-eb22-7000-8028-e3868c7869b7	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-ea41-7000-800a-3a9f924cffb1	ENDED	600.375000	2026-11-25 02:23:30.615+00	19f05556ff5c7b82132f458475119453abccd965b6212f320570453ce362f9e4	2	2026-11-25 02:23:30.64+00	2	2	01a21083-ea3c-7000-8009-6a8dbc7e984d	5	2026-11-25 02:23:30.594+00	2026-11-25 02:23:30.594+00	2026-11-25 02:23:30.651+00	2026-11-25 02:23:30.651+00
01a21083-eb7d-7000-8036-766b6bd33193	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-eb77-7000-8035-dd8471118270	STARTED	\N	\N	\N	2	\N	\N	\N	\N	2	2026-11-25 02:23:30.685+00	2026-11-25 02:23:30.685+00	\N	2026-11-25 02:23:30.685+00
01a21083-f9ce-7000-8047-76a2f17813fb	01a21083-e81c-72af-9730-7b9659b9f990	01a21083-ea50-7000-800f-863754be4da1	ENDED	\N	\N	\N	1	\N	\N	\N	\N	3	2026-11-25 02:23:34.35+00	2026-11-25 02:23:34.35+00	2026-11-25 02:23:34.353+00	2026-11-25 02:23:34.353+00
\.

